{{/*
Fields of every pod.
  settings  the service's settings; else the defaults
  user      the image's user id, if it is not the default
  own       the values of a pod that is not a service's, with extraInitContainers
*/}}
{{- define "waymark.pod" -}}
{{- $settings := .settings | default .root.Values.defaults -}}
automountServiceAccountToken: false
enableServiceLinks: false
{{- with .root.Values.image.pullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
securityContext:
  {{- include "waymark.podSecurity" . | nindent 2 }}
{{- range $field := list "priorityClassName" "runtimeClassName" "schedulerName" }}
{{- with index $settings $field }}
{{ $field }}: {{ . }}
{{- end }}
{{- end }}
{{- range $field := list "nodeSelector" "tolerations" "affinity" "hostAliases" "dnsConfig" }}
{{- with index $settings $field }}
{{ $field }}:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}
{{- with dig "extraInitContainers" nil (.own | default dict) }}
initContainers:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{- define "waymark.podSecurity" -}}
{{- $security := deepCopy (.root.Values.podSecurityContext | default dict) -}}
{{- range $field := list "runAsUser" "runAsGroup" "fsGroup" -}}
{{- if and $.user (get $security $field) -}}{{- $_ := set $security $field $.user -}}{{- end -}}
{{- end -}}
{{ toYaml $security }}
{{- end -}}

{{- define "waymark.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
runAsNonRoot: true
capabilities:
  drop: [ALL]
seccompProfile:
  type: RuntimeDefault
{{- end -}}

{{/* A quantity of memory or processors as a number. */}}
{{- define "waymark.quantity" -}}
{{- $unit := regexFind "([KMGTPE]i|[kMGTPEm])$" (toString .) -}}
{{- $units := dict "" 1 "m" 1e-3 "k" 1e3 "M" 1e6 "G" 1e9 "T" 1e12 "P" 1e15 "E" 1e18 "Ki" 1024 "Mi" 1048576 "Gi" 1073741824 "Ti" 1099511627776 -}}
{{ mulf (toString . | trimSuffix $unit | float64) (get $units $unit | default 1e15 | float64) }}
{{- end -}}

{{/*
The resources of a container, values of `field`. With a lower limit of memory, V8 ends the process while it starts, with its native stack.
leastMebibytes: 128, what commands need, by default.
*/}}
{{- define "waymark.resources" -}}
{{- $least := .leastMebibytes | default 128 -}}
{{- $resources := .resources | default dict -}}
{{- with dig "limits" "memory" "" $resources -}}
{{- if lt (include "waymark.quantity" . | float64) (mulf $least 1048576.0) -}}
{{- fail (printf "%s.resources.limits.memory: %v is too little to start; it takes %vMi or more" $.field . $least) -}}
{{- end -}}
{{- end -}}
{{- range $name, $request := $resources.requests -}}
{{- with dig "limits" $name "" $resources -}}
{{- if gt (include "waymark.quantity" $request | float64) (include "waymark.quantity" . | float64) -}}
{{- fail (printf "%s.resources.requests.%s: %v is more than the limit, %v" $.field $name $request .) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{ toYaml .resources }}
{{- end -}}

{{/* The files of every pod that connects to the stores. env: the variables of its containers, with their secrets. */}}
{{- define "waymark.volumes" -}}
{{- with .root.Values.caCertificates -}}
{{- if .configMap -}}
- name: ca
  configMap: { name: {{ .configMap }}, items: [{ key: {{ .key }}, path: ca.crt }] }
{{- else if .secret -}}
- name: ca
  secret: { secretName: {{ .secret }}, items: [{ key: {{ .key }}, path: ca.crt }] }
{{- end -}}
{{- end -}}
{{- if and .root.Values.secretFiles.enabled (not .root.Values.secretFiles.injected) }}
- name: secrets
  {{- with index .root.Values.secretFiles.volumes .name }}
  {{- toYaml . | nindent 2 }}
  {{- else }}
  {{- $secret := include "waymark.secretName" .root }}
  {{- $required := dict }}
  {{- $optional := dict }}
  {{- range .env }}
  {{- $from := dig "valueFrom" "secretKeyRef" dict . }}
  {{- if eq ($from.name | default "") $secret }}
  {{- $_ := set (ternary $optional $required (hasKey $from "optional")) .name $from.key }}
  {{- end }}
  {{- end }}
  projected:
    # 0440
    defaultMode: 288
    sources:
      {{- range $isOptional, $files := dict "false" $required "true" $optional }}
      {{- with $files }}
      - secret:
          name: {{ $secret }}
          optional: {{ $isOptional }}
          items:
            {{- range $variable, $key := . }}
            - { key: {{ $key }}, path: {{ $variable }} }
            {{- end }}
      {{- end }}
      {{- end }}
  {{- end }}
{{- end }}
{{- with .root.Values.extraVolumes }}
{{ toYaml . }}
{{- end -}}
{{- end -}}

{{/* Variables of a container. With secretFiles, those of the Secret are files instead, named like the variables. */}}
{{- define "waymark.env" -}}
{{- if .root.Values.secretFiles.enabled -}}
{{- $secret := include "waymark.secretName" .root -}}
{{- $left := list (dict "name" "SECRETS_DIRECTORY" "value" .root.Values.secretFiles.directory) -}}
{{- range .env -}}
{{- if ne (dig "valueFrom" "secretKeyRef" "name" "" .) $secret }}{{ $left = append $left . }}{{ end -}}
{{- end -}}
{{ toYaml $left }}
{{- else -}}
{{ toYaml .env }}
{{- end -}}
{{- end -}}

{{- define "waymark.volumeMounts" -}}
{{- $paths := list "/tmp" "/app" -}}
{{- if include "waymark.internalTls" . }}{{ $paths = append $paths "/etc/waymark/tls" }}{{ end -}}
{{- if include "waymark.caVariable" . -}}
{{- $paths = append $paths "/etc/waymark/ca" }}
- { name: ca, mountPath: /etc/waymark/ca, readOnly: true }
{{- end -}}
{{- if and .Values.secretFiles.enabled (not .Values.secretFiles.injected) }}
{{- with .Values.secretFiles.directory }}{{ if has . $paths }}{{ fail (printf "secretFiles.directory: %s is taken" .) }}{{ end }}{{ end -}}
{{- $paths = append $paths .Values.secretFiles.directory }}
- { name: secrets, mountPath: {{ .Values.secretFiles.directory }}, readOnly: true }
{{- end -}}
{{- $names := list -}}
{{- range .Values.extraVolumes }}{{ $names = append $names .name }}{{ end -}}
{{- range $index, $mount := .Values.extraVolumeMounts -}}
{{- if not (has .name $names) }}{{ fail (printf "extraVolumeMounts.%d.name: extraVolumes has no volume %s" $index .name) }}{{ end -}}
{{- if has .mountPath $paths }}{{ fail (printf "extraVolumeMounts.%d.mountPath: %s is taken" $index .mountPath) }}{{ end -}}
{{- $paths = append $paths .mountPath }}
{{ toYaml (list .) }}
{{- end -}}
{{- end -}}

{{/* Not empty if services speak TLS with each other. */}}
{{- define "waymark.internalTls" -}}
{{- with .Values.internalTls -}}
{{- if and (ne $.Values.mode "single") (or .existingSecret .certManager.enabled) -}}true{{- end -}}
{{- end -}}
{{- end -}}

{{/* The Secret with the certificate of a service, as cert-manager writes it. */}}
{{- define "waymark.tlsSecret" -}}
{{ .root.Values.internalTls.existingSecret | default (printf "%s-%s-tls" (include "waymark.fullname" .root) .name) }}
{{- end -}}

{{/* Of the port for requests. Behind an Ingress or a route, the gateway's port has no TLS. */}}
{{- define "waymark.scheme" -}}
{{- $public := (include "waymark.settings" (dict "root" .root "name" "gateway") | fromYaml).env.PUBLIC_TLS -}}
{{ ternary "https" "http" (and (ne (include "waymark.internalTls" .root) "") (or (ne .name "gateway") (eq (toString $public) "true"))) }}
{{- end -}}

{{/* Of the port for probes and metrics. */}}
{{- define "waymark.adminScheme" -}}
{{ ternary "https" "http" (ne (include "waymark.internalTls" .) "") }}
{{- end -}}

{{/* A volume with the authority alone, for pods that only call services. */}}
{{- define "waymark.tlsAuthorityVolume" -}}
- name: tls
  secret: { secretName: {{ include "waymark.tlsSecret" (dict "root" . "name" "gateway") }}, items: [{ key: ca.crt, path: ca.crt }] }
{{- end -}}

{{- define "waymark.caVariable" -}}
{{- if or .Values.caCertificates.configMap .Values.caCertificates.secret -}}
- { name: NODE_EXTRA_CA_CERTS, value: /etc/waymark/ca/ca.crt }
{{- end -}}
{{- end -}}
