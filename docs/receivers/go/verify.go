package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
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
)

// A signature that came, and what it has to be.
type candidate struct {
	timestamp string
	given     []string
	expected  string
}

// verify fails unless a signature of the raw body holds. The secret is the endpoint's, whsec_…
func verify(rawBody []byte, header http.Header, secret string, tolerance time.Duration, now time.Time) error {
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil || len(key) < 24 || !strings.HasPrefix(secret, "whsec_") {
		return errors.New("the secret of an endpoint is whsec_ and base64")
	}
	var candidates []candidate
	if has(header, "X-Service-Timestamp", "X-Service-Signature") {
		timestamp := header.Get("X-Service-Timestamp")
		mac := sign([]byte(secret), timestamp+".", rawBody)
		candidates = append(candidates, candidate{
			timestamp, []string{header.Get("X-Service-Signature")}, "sha256=" + hex.EncodeToString(mac),
		})
	}
	if has(header, "Webhook-Id", "Webhook-Timestamp", "Webhook-Signature") {
		timestamp := header.Get("Webhook-Timestamp")
		mac := sign(key, header.Get("Webhook-Id")+"."+timestamp+".", rawBody)
		candidates = append(candidates, candidate{
			timestamp, strings.Split(header.Get("Webhook-Signature"), " "),
			"v1," + base64.StdEncoding.EncodeToString(mac),
		})
	}
	if len(candidates) == 0 {
		return errMissing
	}
	holds := false
	for _, c := range candidates {
		seconds, err := strconv.ParseUint(c.timestamp, 10, 32)
		if err != nil {
			return errTimestamp
		}
		age := time.Duration(now.Unix()-int64(seconds)) * time.Second
		if age > tolerance || age < -tolerance {
			return errStale
		}
		for _, one := range c.given {
			// hmac.Equal compares in constant time.
			if hmac.Equal([]byte(one), []byte(c.expected)) {
				holds = true
			}
		}
	}
	if !holds {
		return errSignature
	}
	return nil
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
