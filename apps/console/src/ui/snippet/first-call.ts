import type { Snippet } from './snippets.tsx';

const BODY = '{"title": "Try the API"}';
const JSON_TYPE = 'application/json';

/** Lists the newest decision with a key; with `creates`, creates one, for a workspace without any. */
export function firstCall(origin: string, workspaceId: string, key: string, creates = false): Snippet {
  const url = `${origin}/v1/decisions?workspaceId=${workspaceId}${creates ? '' : '&limit=1'}`;
  const set = `export WAYMARK_API_KEY='${key}'`;
  const only = (text: string) => (creates ? text : '');
  return {
    curl: `${set}
curl -sS -H "Authorization: Bearer $WAYMARK_API_KEY" ${only(`-H 'Content-Type: ${JSON_TYPE}' -d '${BODY}' `)}'${url}'`,
    TypeScript: `${set}
cat > first-call.mts <<'END'
const answer = await fetch('${url}', {${only(`
  method: 'POST',
  body: '${BODY}',`)}
  headers: { Authorization: \`Bearer \${process.env['WAYMARK_API_KEY']}\`${only(`, 'Content-Type': '${JSON_TYPE}'`)} },
});
console.log(answer.status, await answer.json());
END
node first-call.mts`,
    Python: `${set}
python3 - <<'END'
import json, os, urllib.request

request = urllib.request.Request(
    '${url}',${only(`
    data=b'${BODY}',`)}
    headers={'Authorization': 'Bearer ' + os.environ['WAYMARK_API_KEY']${only(`, 'Content-Type': '${JSON_TYPE}'`)}},
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
	"os"${only('\n\t"strings"')}
)

func main() {
	request, err := http.NewRequest(${creates ? `"POST", "${url}", strings.NewReader(\`${BODY}\`)` : `"GET", "${url}", nil`})
	if err != nil {
		panic(err)
	}
	request.Header.Set("Authorization", "Bearer "+os.Getenv("WAYMARK_API_KEY"))${only(`
	request.Header.Set("Content-Type", "${JSON_TYPE}")`)}
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
