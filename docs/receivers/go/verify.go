package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"
)

var (
	errMissing   = errors.New("no signature came")
	errTimestamp = errors.New("the timestamp is not in Unix seconds")
	errStale     = errors.New("the timestamp is too far from now")
	errSignature = errors.New("the signature does not hold")
	errBody      = errors.New("the body is no event")
)

// A signature that came, and what it has to be.
type candidate struct {
	timestamp string
	given     []string
	expected  string
}

// An event as it was sent. The ID is the same each time it is sent to an endpoint.
type event struct {
	ID   string          `json:"id"`
	Type string          `json:"type"`
	Data json.RawMessage `json:"data"`
}

// verify gives the event in the raw body, and fails unless its signature holds. The secret is the endpoint's, whsec_…
func verify(rawBody []byte, header http.Header, secret string, tolerance time.Duration, now time.Time) (event, error) {
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil || len(key) < 24 || !strings.HasPrefix(secret, "whsec_") {
		return event{}, errors.New("the secret of an endpoint is whsec_ and base64")
	}
	var candidates []candidate
	if has(header, "X-Waymark-Timestamp", "X-Waymark-Signature") {
		timestamp := header.Get("X-Waymark-Timestamp")
		mac := sign([]byte(secret), timestamp+".", rawBody)
		candidates = append(candidates, candidate{
			timestamp, []string{header.Get("X-Waymark-Signature")}, "sha256=" + hex.EncodeToString(mac),
		})
	}
	// Covers the delivery's id too: where it came it decides.
	if has(header, "Webhook-Id", "Webhook-Timestamp", "Webhook-Signature") {
		timestamp := header.Get("Webhook-Timestamp")
		mac := sign(key, header.Get("Webhook-Id")+"."+timestamp+".", rawBody)
		candidates = append(candidates, candidate{
			timestamp, strings.Split(header.Get("Webhook-Signature"), " "),
			"v1," + base64.StdEncoding.EncodeToString(mac),
		})
	}
	if len(candidates) == 0 {
		return event{}, errMissing
	}
	for _, c := range candidates {
		seconds, err := strconv.ParseUint(c.timestamp, 10, 32)
		if err != nil {
			return event{}, errTimestamp
		}
		age := time.Duration(now.Unix()-int64(seconds)) * time.Second
		if age > tolerance || age < -tolerance {
			return event{}, errStale
		}
	}
	decisive := candidates[len(candidates)-1]
	holds := false
	for _, one := range decisive.given {
		// hmac.Equal compares in constant time.
		if hmac.Equal([]byte(one), []byte(decisive.expected)) {
			holds = true
		}
	}
	if !holds {
		return event{}, errSignature
	}
	var sent event
	if json.Unmarshal(rawBody, &sent) != nil || sent.ID == "" {
		return event{}, errBody
	}
	return sent, nil
}

func sign(key []byte, prefix string, body []byte) []byte {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(prefix))
	mac.Write(body)
	return mac.Sum(nil)
}

func has(header http.Header, names ...string) bool {
	for _, name := range names {
		if _, ok := header[http.CanonicalHeaderKey(name)]; !ok {
			return false
		}
	}
	return true
}
