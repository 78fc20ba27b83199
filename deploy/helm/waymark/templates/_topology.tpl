{{/*
The services, stores and secrets that each service uses. Tests compare it with services/<name>/src/config.ts.
  port     its own in mode single; that of its metrics is 1000 more. The images have 8080 and 9090, and so has the gateway
  calls    services whose <NAME>_URL it reads
  stores   mongodb, redis, nats
  secrets  environment variable: name under secretKeys
  optional the same, for keys that the Secret may lack
*/}}
{{- define "waymark.topology" -}}
gateway:
  calls: [accounts, decisions, workflows, threads, search, audit, webhooks, transfer, notifications]
  stores: [redis, nats]
  secrets: { REDIS_URL: redisUrl }
  optional: { REDIS_SENTINEL_URL: redisSentinelUrl }
accounts:
  port: 8081
  calls: [accounts, audit, decisions, workflows, threads, search, webhooks, transfer, notifications]
  stores: [mongodb, nats]
  optional: { OIDC_CLIENT_SECRET: oidcClientSecret, SMTP_URL: smtpUrl }
decisions:
  port: 8082
  calls: [accounts, audit]
  stores: [mongodb, nats]
workflows:
  port: 8083
  calls: [accounts, audit]
  stores: [mongodb, nats]
threads:
  port: 8084
  calls: [accounts, audit, decisions, workflows]
  stores: [mongodb, nats]
search:
  port: 8085
  calls: [accounts, audit, decisions, workflows, threads]
  stores: [mongodb, nats]
audit:
  port: 8086
  calls: [accounts, audit, search]
  stores: [mongodb, nats]
  secrets: { AUDIT_SIGNING_KEYS: auditSigningKeys }
webhooks:
  port: 8087
  calls: [accounts, audit, search]
  stores: [mongodb, nats]
  secrets: { WEBHOOK_ENCRYPTION_KEYS: webhookEncryptionKeys }
  optional: { WEBHOOK_PROXY_URL: webhookProxyUrl }
transfer:
  port: 8088
  calls: [accounts, audit, decisions, workflows, threads]
  stores: [mongodb, nats]
notifications:
  port: 8089
  calls: [accounts, audit, decisions, workflows, threads]
  stores: [mongodb, nats]
{{- end -}}

{{/* The services in the pods of each Deployment, by its name. */}}
{{- define "waymark.deployments" -}}
{{- $services := keys (include "waymark.topology" . | fromYaml) | sortAlpha -}}
{{- if eq .Values.mode "single" -}}
single: {{ toJson $services }}
{{- else -}}
{{- range $services }}
{{ . }}: [{{ . }}]
{{- end -}}
{{- end -}}
{{- end -}}

{{/* The Deployment whose pods run a service. */}}
{{- define "waymark.deploymentOf" -}}
{{ ternary "single" .name (eq .root.Values.mode "single") }}
{{- end -}}

{{/* The ports of a service in its pod. */}}
{{- define "waymark.ports" -}}
{{- $port := (index (include "waymark.topology" .root | fromYaml) .name).port | default 0 | int -}}
{{- if or (eq $port 0) (ne .root.Values.mode "single") -}}
{ http: 8080, admin: 9090 }
{{- else -}}
{ http: {{ $port }}, admin: {{ add $port 1000 }} }
{{- end -}}
{{- end -}}

{{/* The defaults, overridden by the values of the service, or of the Deployment for all of them. */}}
{{- define "waymark.settings" -}}
{{- $own := eq .name "single" | ternary .root.Values.single (index .root.Values.services .name) -}}
{{- mergeOverwrite (deepCopy .root.Values.defaults) $own | toYaml -}}
{{- end -}}
