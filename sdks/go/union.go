package waymark

import "encoding/json"

// marshalUnion returns the JSON of a text or an object.
func marshalUnion[T any](text string, object *T) ([]byte, error) {
	if object != nil {
		return json.Marshal(object)
	}
	return json.Marshal(text)
}

// unmarshalUnion reads a text or an object.
func unmarshalUnion[T any](source []byte, text *string, object **T) error {
	*text, *object = "", nil
	if len(source) > 0 && source[0] == '"' {
		return json.Unmarshal(source, text)
	}
	return json.Unmarshal(source, object)
}
