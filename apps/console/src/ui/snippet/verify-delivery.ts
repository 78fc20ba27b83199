import type { Snippet } from './snippets.tsx';

/**
 * Receives deliveries on the port of the endpoint's address and checks their signatures; curl sends a signed
 * one to try that.
 */
export function verifyDelivery(secret: string, url: string): Snippet {
  const port = new URL(url).port || '4000';
  const set = `export WEBHOOK_SECRET='${secret}'`;
  return {
    curl: `# Sends a signed delivery to a receiver on port ${port}, such as those of the other tabs
${set}
BODY='{"type":"ping"}' AT=$(date +%s)
KEY=$(printf %s "\${WEBHOOK_SECRET#whsec_}" | base64 -d | od -An -v -tx1 | tr -d ' \\n')
SIGNATURE=$(printf 'first.%s.%s' "$AT" "$BODY" | openssl dgst -sha256 -mac HMAC -macopt "hexkey:$KEY" -binary | base64)
curl -sS -w '%{http_code}\\n' -H 'webhook-id: first' -H "webhook-timestamp: $AT" \\
  -H "webhook-signature: v1,$SIGNATURE" -d "$BODY" http://127.0.0.1:${port}/`,
    TypeScript: `${set}
cat > receiver.mts <<'END'
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const key = Buffer.from(process.env['WEBHOOK_SECRET']!.slice('whsec_'.length), 'base64');

createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  const { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': given } = request.headers;
  const expected = createHmac('sha256', key).update(\`\${id}.\${at}.\`).update(body).digest();
  const isRecent = Math.abs(Date.now() / 1000 - Number(at)) < 300;
  const isSigned = String(given).split(' ').some((one) => {
    const signature = Buffer.from(one.replace('v1,', ''), 'base64');
    return signature.length === expected.length && timingSafeEqual(signature, expected);
  });
  if (isRecent && isSigned) console.log(body.toString());
  response.writeHead(isRecent && isSigned ? 204 : 401).end();
}).listen(${port}, '127.0.0.1');
END
node receiver.mts`,
    Python: `${set}
cat > receiver.py <<'END'
import base64, hashlib, hmac, os, time
from http.server import BaseHTTPRequestHandler, HTTPServer

KEY = base64.b64decode(os.environ['WEBHOOK_SECRET'].removeprefix('whsec_'))

class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get('Content-Length', 0)))
        at = self.headers.get('webhook-timestamp', '')
        signed = '.'.join([self.headers.get('webhook-id', ''), at, '']).encode() + body
        expected = 'v1,' + base64.b64encode(hmac.new(KEY, signed, hashlib.sha256).digest()).decode()
        given = self.headers.get('webhook-signature', '').split()
        recent = at.isdigit() and abs(time.time() - int(at)) < 300
        valid = recent and any([hmac.compare_digest(one.encode(), expected.encode()) for one in given])
        if valid:
            print(body.decode(), flush=True)
        self.send_response(204 if valid else 401)
        self.end_headers()

HTTPServer(('127.0.0.1', ${port}), Receiver).serve_forever()
END
python3 receiver.py`,
    Go: `${set}
cat > receiver.go <<'END'
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"
)

func isValid(header http.Header, body []byte) bool {
	key, _ := base64.StdEncoding.DecodeString(strings.TrimPrefix(os.Getenv("WEBHOOK_SECRET"), "whsec_"))
	id, at := header.Get("webhook-id"), header.Get("webhook-timestamp")
	seconds, err := strconv.ParseInt(at, 10, 64)
	if err != nil || time.Since(time.Unix(seconds, 0)).Abs() > 5*time.Minute {
		return false
	}
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(id + "." + at + "." + string(body)))
	expected := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	for _, given := range strings.Fields(header.Get("webhook-signature")) {
		if hmac.Equal([]byte(given), []byte(expected)) {
			return true
		}
	}
	return false
}

func receive(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil || !isValid(r.Header, body) {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	fmt.Println(string(body))
	w.WriteHeader(http.StatusNoContent)
}

func main() {
	http.HandleFunc("/", receive)
	panic(http.ListenAndServe("127.0.0.1:${port}", nil))
}
END
go run receiver.go`,
  };
}
