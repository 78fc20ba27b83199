# docker buildx bake -f deploy/docker/docker-bake.hcl [service]: builds every image; the first two stages are built once.

variable "REGISTRY" { default = "waymark" }
variable "VERSION" { default = "1.0.0" }

group "default" {
  targets = ["service"]
}

target "service" {
  matrix = {
    service = ["gateway", "accounts", "decisions", "workflows", "threads", "search", "audit", "webhooks", "transfer", "cli"]
  }
  name       = service
  context    = "."
  dockerfile = "deploy/docker/Dockerfile"
  target     = "service"
  args = {
    SERVICE = service
    VERSION = VERSION
  }
  tags = ["${REGISTRY}/${service}:${VERSION}"]
}
