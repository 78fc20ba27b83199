{{/*
The services, stores and secrets that each service uses. Tests compare it with services/<name>/src/config.ts. Ports are those of the images.
  calls    services whose <NAME>_URL it reads
  stores   mongodb, redis, nats
  secrets  environment variable: name under secretKeys
  optional the same, for keys that the Secret may lack
*/}}
{{- define "waymark.topology" -}}
gateway:
  calls: [accounts, decisions, workflows, threads, search, audit, webhooks, transfer]
  stores: [redis, nats]
  secrets: { REDIS_URL: redisUrl }
accounts:
  calls: [accounts, audit, decisions, workflows, threads, search, webhooks, transfer]
  stores: [mongodb, nats]
  optional: { OIDC_CLIENT_SECRET: oidcClientSecret, SMTP_URL: smtpUrl }
decisions:
  calls: [accounts, audit]
  stores: [mongodb, nats]
workflows:
  calls: [accounts, audit]
  stores: [mongodb, nats]
threads:
  calls: [accounts, audit, workflows]
  stores: [mongodb, nats]
search:
  calls: [accounts, audit, decisions, workflows, threads]
  stores: [mongodb, nats]
audit:
  calls: [accounts, audit]
  stores: [mongodb, nats]
  secrets: { AUDIT_SIGNING_KEYS: auditSigningKeys }
webhooks:
  calls: [accounts, audit]
  stores: [mongodb, nats]
  secrets: { WEBHOOK_ENCRYPTION_KEYS: webhookEncryptionKeys }
  optional: { WEBHOOK_PROXY_URL: webhookProxyUrl }
transfer:
  calls: [accounts, audit, decisions, workflows, threads]
  stores: [mongodb, nats]
{{- end -}}

{{/* The defaults, overridden by the service's values. */}}
{{- define "waymark.settings" -}}
{{- mergeOverwrite (deepCopy .root.Values.defaults) (index .root.Values.services .name) | toYaml -}}
{{- end -}}
