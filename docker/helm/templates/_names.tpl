{{/* Returns the name that all objects of a release begin with. Pods' names must fit into 63 characters. */}}
{{- define "vrs.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{ .Values.fullnameOverride | trunc 40 | trimSuffix "-" }}
{{- else -}}
{{- $name := default .Chart.Name .Values.nameOverride -}}
{{- if contains $name .Release.Name -}}
{{ .Release.Name | trunc 40 | trimSuffix "-" }}
{{- else -}}
{{ printf "%s-%s" .Release.Name $name | trunc 40 | trimSuffix "-" }}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* Returns the labels that select a component's pods. They never change. Takes { root, component }. */}}
{{- define "vrs.selector" -}}
app.kubernetes.io/name: vrs
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end -}}

{{/* Returns the labels of every object. Takes { root, component }. */}}
{{- define "vrs.labels" -}}
{{ include "vrs.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version | replace "+" "_" }}
{{- end -}}

{{/* Returns the image with its tag or digest. */}}
{{- define "vrs.image" -}}
{{- $repository := required "Set image.repository to your registry's copy of the image." .Values.image.repository -}}
{{- if .Values.image.digest -}}
{{ $repository }}@{{ .Values.image.digest }}
{{- else -}}
{{ $repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end -}}
{{- end -}}

{{/* Returns the name of a Secret: core, differ, renderers, database or imageStore. Takes { root, secret }. */}}
{{- define "vrs.secret" -}}
{{- if .root.Values.secrets.create -}}
{{ include "vrs.fullname" .root }}-{{ .secret | lower }}
{{- else -}}
{{ index .root.Values.secrets.names .secret }}
{{- end -}}
{{- end -}}

{{/* Returns an address of NATS. Takes { root, user, password }. */}}
{{- define "vrs.natsUrl" -}}
nats://{{ .user }}:{{ .password }}@{{ .root.Values.nats.address }}
{{- end -}}
