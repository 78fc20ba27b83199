{{- define "waymark.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride -}}
{{- else if contains .Chart.Name .Release.Name -}}
{{- .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name .Chart.Name | trunc 40 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "waymark.serviceAccount" -}}
{{- .Values.serviceAccount.name | default (include "waymark.fullname" .) -}}
{{- end -}}

{{/* The account of the pods of a Deployment. */}}
{{- define "waymark.serviceAccountOf" -}}
{{- $settings := include "waymark.settings" . | fromYaml -}}
{{- $own := and .root.Values.serviceAccount.create .root.Values.serviceAccount.perService -}}
{{ $settings.serviceAccountName | default (ternary (printf "%s-%s" (include "waymark.fullname" .root) .name) (include "waymark.serviceAccount" .root) $own) }}
{{- end -}}

{{/* Of the pods that may reach the bucket: no other pod gets its role. */}}
{{- define "waymark.backupServiceAccount" -}}
{{- if and .Values.backup.enabled .Values.serviceAccount.create -}}
{{ include "waymark.fullname" . }}-backup
{{- else -}}
{{ include "waymark.serviceAccount" . }}
{{- end -}}
{{- end -}}

{{- define "waymark.selector" -}}
app.kubernetes.io/name: waymark
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .name }}
{{- end -}}

{{- define "waymark.labels" -}}
{{ include "waymark.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/part-of: waymark
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
{{- end -}}

{{/* The labels and annotations of an object or a pod: the chart's, then its own (labels, annotations), then the common ones. */}}
{{- define "waymark.metadata" -}}
labels:
  {{- merge (include "waymark.labels" . | fromYaml) (deepCopy (.labels | default dict)) .root.Values.commonLabels | toYaml | nindent 2 }}
{{- with merge (deepCopy (.annotations | default dict)) .root.Values.commonAnnotations }}
annotations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{- define "waymark.image" -}}
{{- $image := .root.Values.image -}}
{{- $digest := index $image.digests .name -}}
{{ $image.registry | default "localhost/waymark" }}/{{ .name }}{{ if $digest }}@{{ $digest }}{{ else }}:{{ $image.tag | default .root.Chart.AppVersion }}{{ end }}
{{- end -}}

{{- define "waymark.secretName" -}}
{{- .Values.existingSecret | default (ternary (printf "%s-evaluation" (include "waymark.fullname" .)) "waymark-secrets" .Values.evaluation.enabled) -}}
{{- end -}}

{{- define "waymark.publicUrl" -}}
{{- .Values.publicUrl | default "http://localhost:8080" -}}
{{- end -}}

{{- define "waymark.secretVariable" -}}
- name: {{ .variable }}
  valueFrom:
    secretKeyRef:
      name: {{ include "waymark.secretName" .root }}
      key: {{ .key }}
      {{- if .optional }}
      optional: true
      {{- end }}
{{- end -}}

{{/* NATS_URL of a service, in a pod of all services <SERVICE>_NATS_URL. The NATS of an evaluation has a user for each service. */}}
{{- define "waymark.natsVariable" -}}
{{- $standard := ternary (printf "%s_NATS_URL" (upper .name)) .root.Values.secretKeys.natsUrl .root.Values.evaluation.enabled -}}
{{- $key := (include "waymark.settings" . | fromYaml).natsUrlKey | default $standard -}}
{{- $variable := ternary (printf "%s_NATS_URL" (upper .name)) "NATS_URL" (eq .root.Values.mode "single") -}}
{{ include "waymark.secretVariable" (dict "root" .root "variable" $variable "key" $key) }}
{{- end -}}

{{/* The databases of all services, for commands: <SERVICE>_MONGODB_URL and, for another name, <SERVICE>_MONGODB_DATABASE. */}}
{{- define "waymark.databaseVariables" -}}
{{- $settings := include "waymark.settings" . | fromYaml -}}
{{- $key := $settings.mongodbUrlKey | default .root.Values.secretKeys.mongodbUrl -}}
{{ include "waymark.secretVariable" (dict "root" .root "variable" (printf "%s_MONGODB_URL" (upper .name)) "key" $key) }}
{{- with $settings.env.MONGODB_DATABASE }}
- name: {{ upper $.name }}_MONGODB_DATABASE
  value: {{ . | quote }}
{{- end }}
{{- end -}}

{{/* The same of every service, and the authorities that their connections trust. */}}
{{- define "waymark.everyDatabase" -}}
{{- $root := . -}}
{{- range $name, $topology := (include "waymark.topology" . | fromYaml) }}
{{- if has "mongodb" $topology.stores }}
{{ include "waymark.databaseVariables" (dict "root" $root "name" $name) }}
{{- end }}
{{- end }}
{{ include "waymark.caVariable" . }}
{{- end -}}

{{/* A peer of a network policy: the pods of one component of this release. */}}
{{- define "waymark.peer" -}}
- podSelector:
    matchLabels:
      {{- include "waymark.selector" . | nindent 6 }}
{{- end -}}

{{- define "waymark.dnsEgress" -}}
- ports:
    {{- range .Values.networkPolicy.dns.ports }}
    - { port: {{ . }}, protocol: UDP }
    - { port: {{ . }}, protocol: TCP }
    {{- end }}
  to:
    {{- toYaml .Values.networkPolicy.dns.peers | nindent 4 }}
{{- end -}}

{{/* An egress rule to a store: the one in this release, or the configured peers. */}}
{{- define "waymark.storeEgress" -}}
{{- $store := index .root.Values.stores .store -}}
- ports:
    {{- range $store.ports }}
    - { port: {{ . }}, protocol: TCP }
    {{- end }}
  {{- if .root.Values.evaluation.enabled }}
  to:
    - podSelector:
        matchLabels:
          {{- include "waymark.selector" (dict "root" .root "name" .store) | nindent 10 }}
  {{- else if $store.peers }}
  to:
    {{- toYaml $store.peers | nindent 4 }}
  {{- end }}
{{- end -}}

{{- define "waymark.mailEgress" -}}
{{- if not .Values.mail.peers }}
{{- fail "mail.peers: name where the mail server is, as in a NetworkPolicy" }}
{{- end }}
- ports:
    {{- range .Values.mail.ports }}
    - { port: {{ . }}, protocol: TCP }
    {{- end }}
  to:
    {{- toYaml .Values.mail.peers | nindent 4 }}
{{- end -}}

{{- define "waymark.backupVariables" -}}
{{- $root := . -}}
{{- range $variable, $key := dict "AWS_ACCESS_KEY_ID" "backupAccessKeyId" "AWS_SECRET_ACCESS_KEY" "backupSecretAccessKey" }}
{{ include "waymark.secretVariable" (dict "root" $root "variable" $variable "key" (index $root.Values.secretKeys $key) "optional" true) }}
{{- end }}
{{- with .Values.backup.endpoint }}
- { name: AWS_ENDPOINT_URL_S3, value: {{ . | quote }} }
{{- end }}
{{- with .Values.backup.region }}
- { name: AWS_REGION, value: {{ . | quote }} }
{{- end }}
{{- end -}}

{{- define "waymark.backupIdentity" -}}
{{ include "waymark.secretVariable" (dict "root" . "variable" "BACKUP_IDENTITY" "key" .Values.secretKeys.backupIdentity "optional" true) }}
{{- end -}}

{{- define "waymark.backupEgress" -}}
{{- if not .Values.backup.peers }}
{{- fail "backup.peers: name where the S3 server is, as in a NetworkPolicy" }}
{{- end }}
- ports:
    {{- range .Values.backup.ports }}
    - { port: {{ . }}, protocol: TCP }
    {{- end }}
  to:
    {{- toYaml .Values.backup.peers | nindent 4 }}
{{- end -}}

{{- define "waymark.tracingEgress" -}}
{{- if not .Values.tracing.peers }}
{{- fail "tracing.peers: name where the collector of tracing.endpoint is, as in a NetworkPolicy" }}
{{- end }}
{{- $url := urlParse .Values.tracing.endpoint -}}
{{- $port := regexFind "[0-9]+$" (regexFind ":[0-9]+$" $url.host) -}}
- ports:
    - { port: {{ $port | default (ternary "443" "80" (eq $url.scheme "https")) }}, protocol: TCP }
  to:
    {{- toYaml .Values.tracing.peers | nindent 4 }}
{{- end -}}

{{/* A schedule of cron, value of `field`. Fails where the schema cannot: a range that ends before it begins, or a day that no named month has. */}}
{{- define "waymark.schedule" -}}
{{- $text := lower .schedule -}}
{{- range $names := list "0 jan feb mar apr may jun jul aug sep oct nov dec" "sun mon tue wed thu fri sat" -}}
{{- range $number, $name := splitList " " $names }}{{ $text = replace $name (toString $number) $text }}{{ end -}}
{{- end -}}
{{- range regexFindAll "[0-9]+-[0-9]+" $text -1 -}}
{{- $ends := splitList "-" . -}}
{{- if gt (first $ends | atoi) (last $ends | atoi) }}{{ fail (printf "%s: the range %s ends before it begins" $.field .) }}{{ end -}}
{{- end -}}
{{- $fields := regexSplit " +" $text -1 -}}
{{- /* With weekdays, it runs on those as well. */ -}}
{{- if has (last $fields) (list "*" "?") -}}
{{- $earliest := 31 -}}
{{- range splitList "," (index $fields 2) }}{{ $earliest = min $earliest (regexFind "^[0-9]+" . | default "1" | atoi) }}{{ end -}}
{{- $longest := 0 -}}
{{- range splitList "," (index $fields 3) -}}
{{- $ends := splitList "-" (regexFind "^[0-9-]+" . | default "1-12") -}}
{{- $last := ternary "12" (last $ends) (and (contains "/" .) (not (contains "-" .))) | atoi -}}
{{- range untilStep (first $ends | atoi) (add 1 $last | int) (trimPrefix "/" (regexFind "/[0-9]+" .) | default "1" | atoi) -}}
{{- $longest = max $longest (ternary 29 (ternary 30 31 (has . (list 4 6 9 11))) (eq . 2)) -}}
{{- end -}}
{{- end -}}
{{- if gt $earliest $longest }}{{ fail (printf "%s: %s never runs, because no such month has %d days" .field .schedule $earliest) }}{{ end -}}
{{- end -}}
{{ quote .schedule }}
{{- end -}}

{{/* A time zone, value of `field`. Kubernetes and Helm read the same database of zones; sprig takes UTC for one that it lacks. */}}
{{- define "waymark.timeZone" -}}
{{- $isKnown := or (ne (dateInZone "MST" now .timeZone) "UTC") (regexMatch "(^|/)(UTC|UCT|Zulu|Universal)$" .timeZone) -}}
{{- /* Helm may run without the database. Local is that of whoever asks. */ -}}
{{- if or (eq (lower .timeZone) "local") (and (not $isKnown) (ne (dateInZone "MST" now "Asia/Tokyo") "UTC")) -}}
{{- fail (printf "%s: there is no time zone %s" .field .timeZone) -}}
{{- end -}}
{{ quote .timeZone }}
{{- end -}}
