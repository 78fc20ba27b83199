package waymark

import (
	"encoding/hex"
	"errors"
	"net/http"
	"strconv"
	"testing"
	"time"
)

// The vectors of libs/client are verified by the scenario. These tests are about what they lack.

const (
	webhookSecret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwQ3bV8pN1t2k="
	otherSecret   = "whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
	webhookBody   = `{"id":"1","type":"ping","created_at":"2026-01-01T00:00:00.000Z","data":{"a":1}}`
)

func signedHeader(prefix, body string, at time.Time) http.Header {
	timestamp := strconv.FormatInt(at.Unix(), 10)
	mac := hex.EncodeToString(sign([]byte(webhookSecret), timestamp+".", []byte(body)))
	header := http.Header{}
	header.Set(prefix+"Timestamp", timestamp)
	header.Set(prefix+"Signature", "sha256="+mac)
	return header
}

func faultOf(err error) WebhookFault {
	var failed *WebhookError
	if errors.As(err, &failed) {
		return failed.Fault
	}
	return ""
}

func TestVerifiesADelivery(t *testing.T) {
	header := signedHeader("X-Waymark-", webhookBody, time.Now())
	header.Set("X-Waymark-Delivery", "forged")
	header.Set("Webhook-Id", "forged")
	delivery, err := VerifyWebhook([]byte(webhookBody), header, webhookSecret)
	if err != nil || delivery.ID != "1" || delivery.Type != "ping" || string(delivery.Data) != `{"a":1}` {
		t.Fatal(delivery, err)
	}
	if delivery.DeliveryID != "" {
		t.Error("an id that is not signed:", delivery.DeliveryID)
	}
}

func TestToleratesFiveMinutes(t *testing.T) {
	now := time.Unix(1767225600, 0)
	verifier := WebhookVerifier{Secrets: []string{webhookSecret}, Now: func() time.Time { return now }}
	for age, fault := range map[time.Duration]WebhookFault{
		300 * time.Second: "", -300 * time.Second: "", 301 * time.Second: FaultStaleTimestamp, -301 * time.Second: FaultStaleTimestamp,
	} {
		_, err := verifier.Verify([]byte(webhookBody), signedHeader("X-Waymark-", webhookBody, now.Add(-age)))
		if faultOf(err) != fault {
			t.Error(age, err)
		}
	}
}

func TestTakesSeveralSecretsAndAnotherPrefix(t *testing.T) {
	header := signedHeader("X-Acme-", webhookBody, time.Now())
	verifier := WebhookVerifier{Secrets: []string{otherSecret, webhookSecret}, HeaderPrefix: "X-Acme-"}
	if _, err := verifier.Verify([]byte(webhookBody), header); err != nil {
		t.Error(err)
	}
	if _, err := VerifyWebhook([]byte(webhookBody), header, webhookSecret); faultOf(err) != FaultMissingHeaders {
		t.Error(err)
	}
}

func TestRefusesBodiesAndSecretsThatCannotBeUsed(t *testing.T) {
	for _, body := range []string{"hello", "null", "[]", `"text"`, `{"id":1}`} {
		header := signedHeader("X-Waymark-", body, time.Now())
		if _, err := VerifyWebhook([]byte(body), header, webhookSecret); faultOf(err) != FaultInvalidBody {
			t.Error(body, err)
		}
	}
	for _, secrets := range [][]string{nil, {""}, {"whsec_"}, {"secret"}, {webhookSecret, ""}} {
		header := signedHeader("X-Waymark-", webhookBody, time.Now())
		if _, err := (WebhookVerifier{Secrets: secrets}).Verify([]byte(webhookBody), header); faultOf(err) != FaultUnusableSecret {
			t.Error(secrets, err)
		}
	}
}
