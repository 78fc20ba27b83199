package main

import (
	"encoding/json"
	"net/http"
	"os"
	"testing"
	"time"
)

func TestVectors(t *testing.T) {
	text, err := os.ReadFile("../../../libs/client/vectors/webhooks.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Vectors []struct {
			Name             string            `json:"name"`
			Secret           string            `json:"secret"`
			Headers          map[string]string `json:"headers"`
			Body             string            `json:"body"`
			Now              int64             `json:"now"`
			ToleranceSeconds int64             `json:"tolerance_seconds"`
			Valid            bool              `json:"valid"`
			ID               string            `json:"id"`
		} `json:"vectors"`
	}
	if err := json.Unmarshal(text, &file); err != nil || len(file.Vectors) == 0 {
		t.Fatal("no vectors", err)
	}
	for _, v := range file.Vectors {
		t.Run(v.Name, func(t *testing.T) {
			header := http.Header{}
			for name, value := range v.Headers {
				header.Set(name, value)
			}
			tolerance := time.Duration(v.ToleranceSeconds) * time.Second
			sent, err := verify([]byte(v.Body), header, v.Secret, tolerance, time.Unix(v.Now, 0))
			if (err == nil) != v.Valid || sent.ID != v.ID {
				t.Errorf("valid should be %v with id %q, got %v with %q", v.Valid, v.ID, err, sent.ID)
			}
		})
	}
}
