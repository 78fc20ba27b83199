// A receiver of webhooks: standard library only. Needs WEBHOOK_SECRET; listens on PORT (4000).
package main

import (
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"sync"
	"time"
)

const bodyLimit = 2 << 20

func main() {
	port := os.Getenv("PORT")
	if port == "" {
		port = "4000"
	}
	fmt.Printf("Waiting for webhooks on http://127.0.0.1:%s/\n", port)
	log.Fatal(http.ListenAndServe("127.0.0.1:"+port, receiver(os.Getenv("WEBHOOK_SECRET"))))
}

func receiver(secret string) http.Handler {
	// In a service of more than one process: a unique index in its database.
	var seen sync.Map
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// The raw bytes: a body that was parsed and written again does not have the signature of the one that was sent.
		rawBody, err := io.ReadAll(http.MaxBytesReader(w, r.Body, bodyLimit))
		if err != nil {
			http.Error(w, err.Error(), http.StatusRequestEntityTooLarge)
			return
		}
		event, err := verify(rawBody, r.Header, secret, 300*time.Second, time.Now())
		if err != nil {
			http.Error(w, err.Error(), http.StatusUnauthorized)
			return
		}
		w.WriteHeader(http.StatusNoContent)
		// X-Waymark-Delivery is the same each time too, but nothing signs it.
		if _, known := seen.LoadOrStore(event.ID, true); known {
			return
		}
		fmt.Println(event.Type, string(event.Data))
	})
}
