package waymark

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
)

func TestRefusesAddressesAndKeysThatCannotBeUsed(t *testing.T) {
	for _, address := range []string{"", "waymark.example", "ftp://waymark.example", "https://", "https://a:b@c", "https://a?b", "https://a#b", ":"} {
		if _, err := New(address); err == nil {
			t.Error(address)
		}
	}
	for _, key := range []string{"", "wmk_ 1", "wmk_\n", "wmk_é"} {
		if _, err := New("https://waymark.example", WithAPIKey(key)); err == nil || strings.Contains(err.Error(), "wmk_") {
			t.Errorf("%q: %v", key, err)
		}
	}
	for _, option := range []Option{WithMaxRetries(-1), WithHTTPClient(nil)} {
		if _, err := New("https://waymark.example", option); err == nil {
			t.Error("no error")
		}
	}
}

func TestAddressesMayHaveTheBasePath(t *testing.T) {
	for _, address := range []string{"https://a/x", "https://a/x/", "https://a/x/v1", "https://a/x/v1/"} {
		s := &sender{answer: func(int) (*http.Response, error) { return answer(200, `{}`), nil }}
		client, err := New(address, WithHTTPClient(&http.Client{Transport: s}))
		if err != nil {
			t.Fatal(err)
		}
		_, _ = client.Search(t.Context(), "a&b=c", &SearchOptions{Limit: 3})
		if got := s.requests[0].URL.String(); got != "https://a/x/v1/search?limit=3&q=a%26b%3Dc" {
			t.Error(got)
		}
	}
}

func TestAPathArgumentStaysOneSegment(t *testing.T) {
	withAnswers(t, answers{answering(200, `{}`)}, func(ctx context.Context, client *Client, s *sender) {
		for _, id := range []string{"", ".", ".."} {
			if err := client.Decisions.Delete(ctx, id, nil); err == nil {
				t.Errorf("%q was sent", id)
			}
		}
		_, _ = client.Decisions.Get(ctx, "../nodes/1?x#y", nil)
		if got := s.requests[0].URL.EscapedPath(); got != "/v1/decisions/..%2Fnodes%2F1%3Fx%23y" || len(s.requests) != 1 {
			t.Error(got)
		}
	})
}

func TestAHeaderCannotHaveLineBreaks(t *testing.T) {
	withAnswers(t, answers{answering(204, "")}, func(ctx context.Context, client *Client, s *sender) {
		err := client.Decisions.Delete(ctx, "1", &DeleteDecisionOptions{IfMatch: "a\r\nX-Other: b"})
		if err == nil || len(s.requests) != 0 {
			t.Error(err)
		}
	})
}

func TestTheKeyIsNeverShown(t *testing.T) {
	withAnswers(t, answers{answering(401, `{"error":"UNAUTHORIZED"}`)}, func(ctx context.Context, client *Client, s *sender) {
		_, err := client.Whoami(ctx, nil)
		for _, format := range []string{"%v", "%+v", "%#v", "%s"} {
			for _, value := range []any{client, *client, client.Decisions, err, client.connection, *client.connection} {
				if text := fmt.Sprintf(format, value); strings.Contains(text, testKey) {
					t.Error(format, text)
				}
			}
		}
		if got := s.requests[0].Header.Get("Authorization"); got != "Bearer "+testKey {
			t.Error(got)
		}
	})
}

func TestATokenInTheAddressIsNotShown(t *testing.T) {
	withAnswers(t, answers{reset}, func(ctx context.Context, client *Client, s *sender) {
		_, err := client.Decisions.Calendar(ctx, &GetDecisionsCalendarOptions{Token: "wmf_secret"})
		if err == nil || strings.Contains(err.Error(), "wmf_secret") || s.requests[0].URL.RawQuery != "token=wmf_secret" {
			t.Error(err)
		}
	})
}

func TestErrorsSayWhatWhyAndWhere(t *testing.T) {
	body := `{"error":"VALIDATION_ERROR","message":"tags.0: is too long","issues":[{"path":"tags.0","message":"is too long"}],"docs":"/docs/errors/VALIDATION_ERROR"}`
	refused := answering(400, body, "X-Request-Id", "7f3d2c1a")
	withAnswers(t, answers{refused}, func(ctx context.Context, client *Client, s *sender) {
		_, err := client.Decisions.Create(ctx, DecisionCreate{}, nil)
		var failed *Error
		if !errors.As(err, &failed) || failed.Code != CodeValidationError || failed.Status != 400 ||
			failed.Issues[0].Path != "tags.0" || failed.RequestID != "7f3d2c1a" ||
			failed.Docs != "https://waymark.example/docs/errors/VALIDATION_ERROR" {
			t.Errorf("%+v", failed)
		}
		if text := err.Error(); !strings.HasPrefix(text, "waymark: POST /decisions: ") || !strings.Contains(text, failed.Docs) {
			t.Error(text)
		}
	})
}

func TestAnswersOfOthersAreErrorsToo(t *testing.T) {
	for _, body := range []string{"", "<html>", `[]`, `{}`, `"text"`} {
		withAnswers(t, answers{answering(404, body)}, func(ctx context.Context, client *Client, s *sender) {
			_, err := client.Whoami(ctx, nil)
			var failed *Error
			if !errors.As(err, &failed) || failed.Code != "HTTP_404" || failed.Docs != "" {
				t.Errorf("%q: %v", body, err)
			}
		})
	}
	withAnswers(t, answers{answering(200, "<html>")}, func(ctx context.Context, client *Client, s *sender) {
		if _, err := client.Whoami(ctx, nil); err == nil || len(s.requests) != 1 {
			t.Error(err, len(s.requests))
		}
	})
}

func TestNotModifiedAndTheHeaderOfAResponse(t *testing.T) {
	tagged := answering(200, `{"id":"1"}`, "ETag", `"v3"`)
	withAnswers(t, answers{tagged, answering(304, "")}, func(ctx context.Context, client *Client, s *sender) {
		var header http.Header
		if _, err := client.Decisions.Get(WithHeader(ctx, &header), "1", nil); err != nil || header.Get("ETag") != `"v3"` {
			t.Error(err, header)
		}
		_, err := client.Decisions.Get(ctx, "1", &GetDecisionOptions{IfNoneMatch: header.Get("ETag")})
		if !errors.Is(err, ErrNotModified) || s.requests[1].Header.Get("If-None-Match") != `"v3"` {
			t.Error(err)
		}
	})
}

func TestAStreamIsReadByTheCaller(t *testing.T) {
	withAnswers(t, answers{unavailable, answering(200, "id,title\n")}, func(ctx context.Context, client *Client, s *sender) {
		stream, err := client.Decisions.ExportCSV(ctx, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer stream.Close()
		if text, err := io.ReadAll(stream); string(text) != "id,title\n" || err != nil {
			t.Error(string(text), err)
		}
	})
}

func TestARedirectIsReturned(t *testing.T) {
	found := answering(302, "", "Location", "https://identity.example/authorize")
	withAnswers(t, answers{found}, func(ctx context.Context, client *Client, s *sender) {
		address, err := client.Auth.StartOIDC(ctx, nil)
		if address != "https://identity.example/authorize" || err != nil || len(s.requests) != 1 {
			t.Error(address, err)
		}
	})
}

func TestAnUploadIsSentAsItIs(t *testing.T) {
	withAnswers(t, answers{answering(202, `{"id":"1"}`)}, func(ctx context.Context, client *Client, s *sender) {
		options := &CreateImportOptions{DryRun: Value(false), IDs: ImportJobIDsRemap}
		_, err := client.Imports.Create(ctx, "application/zip", strings.NewReader("PK"), options)
		r := s.requests[0]
		if err != nil || s.bodies[0] != "PK" || r.Header.Get("Content-Type") != "application/zip" {
			t.Error(err, s.bodies, r.Header)
		}
		if got := r.URL.RawQuery; got != "dryRun=false&ids=remap" {
			t.Error(got)
		}
		if _, err := client.Imports.Create(ctx, "application/zip", nil, nil); err == nil {
			t.Error("sent nothing")
		}
	})
}

func TestAbsentNullAndEmptyDiffer(t *testing.T) {
	for text, body := range map[string]DecisionUpdate{
		`{}`:                      {},
		`{"rationale":null}`:      {Rationale: Null[string]()},
		`{"description":""}`:      {Description: Value("")},
		`{"tags":[]}`:             {Tags: []string{}},
		`{"status":"accepted"}`:   {Status: DecisionStatusAccepted},
		`{"outcomeConfidence":0}`: {OutcomeConfidence: Value(0.0)},
		`{"optionsConsidered":["a",{"title":"b"}]}`: {OptionsConsidered: []DecisionCreateOptionsConsideredOrText{
			{Text: "a"}, {Object: &DecisionCreateOptionsConsidered{Title: "b"}},
		}},
	} {
		if got, err := json.Marshal(body); string(got) != text || err != nil {
			t.Error(string(got), text, err)
		}
		var back DecisionUpdate
		if err := json.Unmarshal([]byte(text), &back); err != nil {
			t.Error(text, err)
		}
		if got, _ := json.Marshal(back); string(got) != text {
			t.Error(string(got), text)
		}
	}
}

func TestUnknownFieldsAndValuesAreRead(t *testing.T) {
	text := `{"id":"1","status":"postponed","newField":{"a":1},"question":null,"options_considered":["a",{"title":"b","pros":["c"]}]}`
	var decision Decision
	if err := json.Unmarshal([]byte(text), &decision); err != nil {
		t.Fatal(err)
	}
	options := decision.OptionsConsidered
	if decision.Status != "postponed" || decision.Question != nil || options[0].Text != "a" || options[1].Object.Pros[0] != "c" {
		t.Errorf("%+v", decision)
	}
}

func TestAnObjectIsDecodedIntoAType(t *testing.T) {
	event := LoggedEvent{Data: Object{"title": "From an event", "version": 3.0}}
	var decision Decision
	if err := event.Data.Decode(&decision); err != nil || decision.Title != "From an event" || decision.Version != 3 {
		t.Error(decision, err)
	}
}
