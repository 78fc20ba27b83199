package waymark

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"
)

const mostErrorBytes = 1 << 20

// ErrNotModified is returned when the record still has the ETag in IfNoneMatch.
var ErrNotModified = errors.New("not modified")

// Error is the answer to a request that was refused or failed. Get it with errors.As.
type Error struct {
	Code    ErrorCode
	Status  int
	Message string
	// Which of the reasons of the code it is; FORBIDDEN and RATE_LIMITED have one.
	Reason        string
	RequiredScope string
	Issues        []Issue
	// Identifies the request for the operator of the installation.
	RequestID string
	// The address of the page that explains the code.
	Docs string
	// How long to wait before a retry; 0 when the answer does not say.
	RetryAfter time.Duration
}

// An Issue is one thing to correct in a request.
type Issue struct {
	// The field, for example tags.0, or the parameter.
	Path    string `json:"path"`
	Message string `json:"message"`
}

// Error returns the message with what is needed to look it up.
func (e *Error) Error() string {
	text := fmt.Sprintf("%s (%d): %s", e.Code, e.Status, e.Message)
	if e.RequestID != "" {
		text += " (request " + e.RequestID + ")"
	}
	if e.Docs != "" {
		text += " (see " + e.Docs + ")"
	}
	return text
}

// failure reads the error of a response that is no success.
func (c *connection) failure(response *http.Response) error {
	if response.StatusCode == http.StatusNotModified {
		return ErrNotModified
	}
	var body struct {
		Error         ErrorCode `json:"error"`
		Message       string    `json:"message"`
		Reason        string    `json:"reason"`
		RequiredScope string    `json:"requiredScope"`
		Issues        []Issue   `json:"issues"`
		Docs          string    `json:"docs"`
	}
	text, err := io.ReadAll(io.LimitReader(response.Body, mostErrorBytes))
	if err == nil {
		err = json.Unmarshal(text, &body)
	}
	if err != nil || body.Error == "" {
		// Not Waymark itself, but a proxy before it.
		body.Error = ErrorCode(fmt.Sprintf("HTTP_%d", response.StatusCode))
		body.Message = fmt.Sprintf("The answer was %d.", response.StatusCode)
	}
	return &Error{
		Code:          body.Error,
		Status:        response.StatusCode,
		Message:       body.Message,
		Reason:        body.Reason,
		RequiredScope: body.RequiredScope,
		Issues:        body.Issues,
		RequestID:     response.Header.Get("X-Request-Id"),
		Docs:          c.resolve(body.Docs),
		RetryAfter:    retryAfter(response.Header.Get("Retry-After")),
	}
}

// resolve returns the address of a page of the installation.
func (c *connection) resolve(path string) string {
	base, err := url.Parse(c.root + "/")
	if path == "" || err != nil {
		return path
	}
	page, err := base.Parse(path)
	if err != nil {
		return path
	}
	return page.String()
}
