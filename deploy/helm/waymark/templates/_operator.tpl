{{/* The variables of operator commands. */}}
{{- define "waymark.operatorEnv" -}}
{{- $root := . }}
{{- $fullname := include "waymark.fullname" . }}
{{- range $name, $topology := (include "waymark.topology" . | fromYaml) }}
{{- $keys := printf "%s_IDENTITY_PRIVATE_KEYS" (upper $name) }}
{{- include "waymark.secretVariable" (dict "root" $root "variable" $keys "key" $keys) | nindent 0 }}
{{- if ne $name "gateway" }}
{{- include "waymark.databaseVariables" (dict "root" $root "name" $name) | nindent 0 }}
{{- end }}
- name: {{ upper $name }}_URL
  value: {{ include "waymark.scheme" (dict "root" $root "name" $name) }}://{{ $fullname }}-{{ $name }}:8080
{{- end }}
{{- include "waymark.secretVariable" (dict "root" $root "variable" "IDENTITY_PUBLIC_KEYS" "key" "IDENTITY_PUBLIC_KEYS") | nindent 0 }}
{{- range $variable, $key := dict "CURSOR_SECRETS" "cursorSecrets" "NATS_URL" "natsUrl" "REDIS_URL" "redisUrl" "AUDIT_SIGNING_KEYS" "auditSigningKeys" "WEBHOOK_ENCRYPTION_KEYS" "webhookEncryptionKeys" }}
{{- include "waymark.secretVariable" (dict "root" $root "variable" $variable "key" (index $root.Values.secretKeys $key)) | nindent 0 }}
{{- end }}
{{- range $variable, $key := dict "NATS_CREDS" "natsCreds" "REDIS_SENTINEL_URL" "redisSentinelUrl" }}
{{- include "waymark.secretVariable" (dict "root" $root "variable" $variable "key" (index $root.Values.secretKeys $key) "optional" true) | nindent 0 }}
{{- end }}
{{- if include "waymark.internalTls" . }}
- { name: TLS_CA_FILE, value: /etc/waymark/tls/ca.crt }
{{- end }}
- name: NATS_REPLICAS
  value: {{ .Values.stores.nats.replicas | quote }}
- name: PUBLIC_URL
  value: {{ include "waymark.publicUrl" . | quote }}
{{- if .Values.networkPolicy.enabled }}
{{- /* `waymark doctor` tries what the NetworkPolicy of this pod denies. An S3 server's port may lead to the API server too. */}}
{{- $denied := list }}
{{- range keys (include "waymark.topology" . | fromYaml) | sortAlpha }}
{{- $denied = append $denied (printf "%s-%s:9090" $fullname .) }}
{{- end }}
{{- if not (and .Values.backup.enabled (has "443" (toStrings .Values.backup.ports))) }}
{{- $denied = append $denied "kubernetes.default.svc:443" }}
{{- end }}
- name: DENIED_CONNECTIONS
  value: {{ join "," $denied }}
{{- end }}
{{- /* Settings of the accounts service that the commands read. */}}
{{- $accounts := include "waymark.settings" (dict "root" . "name" "accounts") | fromYaml }}
{{- range $variable := list "NATS_PREFIX" "NATS_CERT_FILE" "NATS_KEY_FILE" "NATS_CA_FILE" "DEFAULT_PLAN" }}
{{- with index $accounts.env $variable }}
- name: {{ $variable }}
  value: {{ . | quote }}
{{- end }}
{{- end }}
{{- with .Values.services.audit.retentionDays }}
- name: AUDIT_RETENTION_DAYS
  value: {{ int . | quote }}
{{- end }}
{{- if .Values.backup.enabled }}
{{- include "waymark.backupVariables" . | nindent 0 }}
{{- include "waymark.backupIdentity" . | nindent 0 }}
{{- end }}
{{- with include "waymark.caVariable" . }}
{{- . | nindent 0 }}
{{- end }}
{{- end -}}

{{/* The pod of operator commands: its container (name, command), and what that needs. */}}
{{- define "waymark.operatorPod" -}}
{{- $root := .root -}}
{{- $env := include "waymark.operatorEnv" $root | fromYamlArray -}}
serviceAccountName: {{ include "waymark.backupServiceAccount" $root }}
{{- include "waymark.pod" (dict "root" $root "own" .own) | nindent 0 }}
terminationGracePeriodSeconds: 1
containers:
  - name: {{ .name }}
    image: {{ include "waymark.image" (dict "root" $root "name" "cli") }}
    imagePullPolicy: {{ $root.Values.image.pullPolicy }}
    {{- .command | nindent 4 }}
    env:
      {{- include "waymark.env" (dict "root" $root "env" $env) | nindent 6 }}
    resources:
      {{- include "waymark.resources" (dict "field" .name "resources" .own.resources) | nindent 6 }}
    securityContext:
      {{- include "waymark.containerSecurity" $root | nindent 6 }}
    volumeMounts:
      - { name: tmp, mountPath: /tmp }
      {{- if include "waymark.internalTls" $root }}
      - { name: tls, mountPath: /etc/waymark/tls, readOnly: true }
      {{- end }}
      {{- with include "waymark.volumeMounts" $root }}
      {{- . | nindent 6 }}
      {{- end }}
volumes:
  - name: tmp
    emptyDir: { sizeLimit: {{ .diskSize }} }
  {{- if include "waymark.internalTls" $root }}
  {{- include "waymark.tlsAuthorityVolume" $root | nindent 2 }}
  {{- end }}
  {{- with include "waymark.volumes" (dict "root" $root "name" .name "env" $env) }}
  {{- . | nindent 2 }}
  {{- end }}
{{- end -}}

{{/* The components that run operator commands, as JSON. */}}
{{- define "waymark.operators" -}}
{{- $operators := list -}}
{{- if .Values.tools.enabled }}{{ $operators = append $operators "tools" }}{{ end -}}
{{- if .Values.doctor.schedule }}{{ $operators = append $operators "doctor" }}{{ end -}}
{{ toJson $operators }}
{{- end -}}
