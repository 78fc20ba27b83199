# docker buildx bake -f deploy/docker/docker-bake.hcl [service]: builds every image for this machine's architecture; the first two stages
# are built once. The target release builds them for all architectures, with provenance and SBOM; these can only be pushed.

variable "REGISTRY" { default = "waymark" }
variable "VERSION" { default = "1.0.0" }
# Of what is built, as labels: the commit, its time (RFC 3339), and the URL of the repository.
variable "REVISION" { default = "" }
variable "CREATED" { default = "" }
variable "SOURCE" { default = "" }
variable "SERVICES" {
  default = ["gateway", "accounts", "decisions", "workflows", "threads", "search", "audit", "webhooks", "transfer", "notifications", "cli"]
}

group "default" {
  targets = ["service"]
}

target "service" {
  matrix     = { service = SERVICES }
  name       = service
  context    = "."
  dockerfile = "deploy/docker/Dockerfile"
  target     = "service"
  args = {
    SERVICE = service
    VERSION = VERSION
  }
  labels = {
    "org.opencontainers.image.revision" = REVISION != "" ? REVISION : null
    "org.opencontainers.image.created"  = CREATED != "" ? CREATED : null
    "org.opencontainers.image.source"   = SOURCE != "" ? SOURCE : null
  }
  tags = ["${REGISTRY}/${service}:${VERSION}"]
}

target "release" {
  matrix    = { service = SERVICES }
  name      = "release-${service}"
  inherits  = [service]
  platforms = ["linux/amd64", "linux/arm64"]
  attest    = ["type=provenance,mode=max", "type=sbom"]
}
