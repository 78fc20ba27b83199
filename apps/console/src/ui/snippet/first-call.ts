import type { Snippet } from './snippets.tsx';

/** Lists the newest decision with a key. */
export function firstCall(origin: string, workspaceId: string, key: string): Snippet {
  const url = `${origin}/v1/decisions?workspaceId=${workspaceId}&limit=1`;
  const set = `export WAYMARK_API_KEY='${key}'`;
  return {
    curl: `${set}
curl -sS -H "Authorization: Bearer $WAYMARK_API_KEY" '${url}'`,
    TypeScript: `${set}
cat > first-call.mts <<'END'
const answer = await fetch('${url}', {
  headers: { Authorization: \`Bearer \${process.env['WAYMARK_API_KEY']}\` },
});
console.log(answer.status, await answer.json());
END
node first-call.mts`,
    Python: `${set}
python3 - <<'END'
import json, os, urllib.request

request = urllib.request.Request(
    '${url}',
    headers={'Authorization': 'Bearer ' + os.environ['WAYMARK_API_KEY']},
)
with urllib.request.urlopen(request) as answer:
    print(answer.status, json.load(answer))
END`,
    Go: `${set}
cat > first_call.go <<'END'
package main

import (
	"fmt"
	"io"
	"net/http"
	"os"
)

func main() {
	request, err := http.NewRequest("GET", "${url}", nil)
	if err != nil {
		panic(err)
	}
	request.Header.Set("Authorization", "Bearer "+os.Getenv("WAYMARK_API_KEY"))
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		panic(err)
	}
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		panic(err)
	}
	fmt.Println(answer.StatusCode, string(body))
}
END
go run first_call.go`,
  };
}
