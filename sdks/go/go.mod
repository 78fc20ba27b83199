module github.com/waymark/waymark/sdks/go

go 1.25
