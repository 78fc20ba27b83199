package main

import (
	"errors"
	"fmt"
	"net/http"
	"time"

	waymark "github.com/waymark/waymark/sdks/go"
)

// verifyWebhooks verifies each request of a file of vectors.
func verifyWebhooks(path string) error {
	var file struct {
		Vectors []struct {
			Name             string
			Secret           string
			Headers          map[string]string
			Body             string
			Now              int64
			ToleranceSeconds int64 `json:"tolerance_seconds"`
			Valid            bool
			Fault            waymark.WebhookFault
			ID               string
		}
	}
	if err := readJSON(path, &file); err != nil {
		return err
	}
	if len(file.Vectors) == 0 {
		return errors.New("the file has no vectors")
	}
	for _, vector := range file.Vectors {
		header := http.Header{}
		for name, value := range vector.Headers {
			header.Set(name, value)
		}
		delivery, err := waymark.WebhookVerifier{
			Secrets:   []string{vector.Secret},
			Tolerance: time.Duration(vector.ToleranceSeconds) * time.Second,
			Now:       func() time.Time { return time.Unix(vector.Now, 0) },
		}.Verify([]byte(vector.Body), header)
		var refused *waymark.WebhookError
		switch {
		case vector.Valid && (err != nil || delivery.ID != vector.ID):
			return fmt.Errorf("%s: %v", vector.Name, err)
		case !vector.Valid && (!errors.As(err, &refused) || refused.Fault != vector.Fault):
			return fmt.Errorf("%s: %v instead of %s", vector.Name, err, vector.Fault)
		}
	}
	return nil
}
