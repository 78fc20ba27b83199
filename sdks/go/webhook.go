package waymark

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"time"
)

const (
	secretPrefix     = "whsec_"
	leastSecretBytes = 24
	// A timestamp with more digits is not one of this age.
	mostTimestampDigits = 15
	defaultTolerance    = 5 * time.Minute
	defaultHeaderPrefix = "X-Waymark-"
)

// A WebhookFault says why a request is not a valid delivery.
type WebhookFault string

// The faults of VerifyWebhook.
const (
	FaultMissingHeaders   WebhookFault = "missing_headers"
	FaultInvalidTimestamp WebhookFault = "invalid_timestamp"
	FaultStaleTimestamp   WebhookFault = "stale_timestamp"
	FaultWrongSignature   WebhookFault = "wrong_signature"
	FaultInvalidBody      WebhookFault = "invalid_body"
	// The receiver has no usable secret: a mistake of its own, not of the sender.
	FaultUnusableSecret WebhookFault = "unusable_secret"
)

var faultMessages = map[WebhookFault]string{
	FaultMissingHeaders:   "the request has no signature",
	FaultInvalidTimestamp: "the timestamp is not in Unix seconds",
	FaultStaleTimestamp:   "the timestamp is too far from now",
	FaultWrongSignature:   "the signature was not made with this secret over this body",
	FaultInvalidBody:      "the signature is valid, but the body is not an event",
	FaultUnusableSecret:   "verification needs the signing secret of the endpoint, whsec_…",
}

// WebhookError is the error of a request that is not a valid delivery.
type WebhookError struct {
	Fault WebhookFault
}

func (e *WebhookError) Error() string {
	return "waymark: " + faultMessages[e.Fault]
}

// WebhookDelivery is a delivery with a valid signature. Its ID is the same for every attempt and replay to an
// endpoint: use it to drop duplicates.
type WebhookDelivery struct {
	WebhookPayload
	// The id to look the delivery up by; empty when no signature of the request covers it.
	DeliveryID string
}

// WebhookVerifier verifies deliveries with other settings than those of VerifyWebhook.
type WebhookVerifier struct {
	// The secret of the endpoint, or several while you move from one to another.
	Secrets []string
	// How far a timestamp may be from now, either way. Five minutes by default.
	Tolerance time.Duration
	// The prefix of the headers Timestamp and Signature. X-Waymark- by default.
	HeaderPrefix string
	// The current time. time.Now by default.
	Now func() time.Time
}

// VerifyWebhook verifies a webhook delivery and returns it parsed. body is the body exactly as it arrived, and
// secret the endpoint's, whsec_…. Every error is a [WebhookError].
func VerifyWebhook(body []byte, header http.Header, secret string) (*WebhookDelivery, error) {
	return WebhookVerifier{Secrets: []string{secret}}.Verify(body, header)
}

// Verify verifies a webhook delivery and returns it parsed, as VerifyWebhook does.
func (v WebhookVerifier) Verify(body []byte, header http.Header) (*WebhookDelivery, error) {
	keys, ok := decodeSecrets(v.Secrets)
	if !ok {
		return nil, &WebhookError{FaultUnusableSecret}
	}
	candidates := v.candidates(body, header, keys)
	if len(candidates) == 0 {
		return nil, &WebhookError{FaultMissingHeaders}
	}
	for _, candidate := range candidates {
		if fault := v.checkTimestamp(candidate.timestamp); fault != "" {
			return nil, &WebhookError{fault}
		}
	}
	// The standard signature is last. It decides when it came, because it also covers the id.
	decisive := candidates[len(candidates)-1]
	if !decisive.holds() {
		return nil, &WebhookError{FaultWrongSignature}
	}
	delivery := WebhookDelivery{DeliveryID: decisive.id}
	isObject := bytes.HasPrefix(bytes.TrimLeft(body, " \t\r\n"), []byte("{"))
	if !isObject || json.Unmarshal(body, &delivery.WebhookPayload) != nil {
		return nil, &WebhookError{FaultInvalidBody}
	}
	return &delivery, nil
}

// A signature that came, and what it has to be with each secret.
type candidate struct {
	id, timestamp   string
	given, expected []string
}

// holds compares each pair in constant time, so that the time does not depend on which one matches.
func (c candidate) holds() bool {
	found := false
	for _, given := range c.given {
		for _, expected := range c.expected {
			if hmac.Equal([]byte(given), []byte(expected)) {
				found = true
			}
		}
	}
	return found
}

func (v WebhookVerifier) candidates(body []byte, header http.Header, keys [][]byte) []candidate {
	var found []candidate
	prefix := v.HeaderPrefix
	if prefix == "" {
		prefix = defaultHeaderPrefix
	}
	if values, ok := headers(header, prefix+"Timestamp", prefix+"Signature"); ok {
		// HMAC-SHA256 over <timestamp>.<body> with the whole secret, hex.
		one := candidate{timestamp: values[0], given: values[1:]}
		for _, secret := range v.Secrets {
			one.expected = append(one.expected, "sha256="+hex.EncodeToString(sign([]byte(secret), values[0]+".", body)))
		}
		found = append(found, one)
	}
	if values, ok := headers(header, "Webhook-Timestamp", "Webhook-Id", "Webhook-Signature"); ok {
		// Standard Webhooks: HMAC-SHA256 over <id>.<timestamp>.<body> with the decoded secret, base64.
		one := candidate{timestamp: values[0], id: values[1], given: strings.Split(values[2], " ")}
		for _, key := range keys {
			mac := sign(key, one.id+"."+one.timestamp+".", body)
			one.expected = append(one.expected, "v1,"+base64.StdEncoding.EncodeToString(mac))
		}
		found = append(found, one)
	}
	return found
}

func (v WebhookVerifier) checkTimestamp(text string) WebhookFault {
	seconds, err := strconv.ParseUint(text, 10, 63)
	if err != nil || len(text) > mostTimestampDigits {
		return FaultInvalidTimestamp
	}
	tolerance, now := v.Tolerance, v.Now
	if tolerance == 0 {
		tolerance = defaultTolerance
	}
	if now == nil {
		now = time.Now
	}
	age := now().Unix() - int64(seconds)
	if limit := int64(tolerance / time.Second); age > limit || age < -limit {
		return FaultStaleTimestamp
	}
	return ""
}

// decodeSecrets refuses an empty or malformed secret: anyone could sign with it.
func decodeSecrets(secrets []string) ([][]byte, bool) {
	var keys [][]byte
	for _, secret := range secrets {
		encoded, isOurs := strings.CutPrefix(secret, secretPrefix)
		key, err := base64.StdEncoding.DecodeString(encoded)
		if !isOurs || err != nil || len(key) < leastSecretBytes {
			return nil, false
		}
		keys = append(keys, key)
	}
	return keys, len(keys) > 0
}

// headers returns the values of these headers, and false unless all of them came.
func headers(header http.Header, names ...string) ([]string, bool) {
	var found []string
	for _, name := range names {
		values := header.Values(name)
		if len(values) == 0 {
			return nil, false
		}
		found = append(found, strings.Join(values, ", "))
	}
	return found, true
}

func sign(key []byte, prefix string, body []byte) []byte {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(prefix))
	mac.Write(body)
	return mac.Sum(nil)
}
