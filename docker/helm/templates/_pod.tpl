{{/* Parts of every pod. They take { root, component, values }, with the component's values. */}}

{{- define "vrs.podMetadata" -}}
labels:
  {{- include "vrs.labels" . | nindent 2 }}
annotations:
  # Nodes read their configuration when they start.
  checksum/config: {{ include (print .root.Template.BasePath "/config.yaml") .root | sha256sum }}
  checksum/secrets: {{ toJson .root.Values.secrets | sha256sum }}
  {{- with .values.podAnnotations }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end -}}

{{- define "vrs.podSettings" -}}
# A node finishes or hands back what it has within 15 s or so.
terminationGracePeriodSeconds: 30
automountServiceAccountToken: false
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  fsGroup: 10001
  seccompProfile:
    {{- if eq .component "renderer" }}
    type: Localhost
    localhostProfile: {{ .root.Values.seccomp.localhostProfile }}
    {{- else }}
    type: RuntimeDefault
    {{- end }}
topologySpreadConstraints:
  - maxSkew: 1
    topologyKey: kubernetes.io/hostname
    whenUnsatisfiable: ScheduleAnyway
    labelSelector: { matchLabels: { {{ include "vrs.selector" . | replace "\n" ", " }} } }
{{- with .root.Values.imagePullSecrets }}
imagePullSecrets: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with .values.nodeSelector }}
nodeSelector: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with .values.tolerations }}
tolerations: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with .values.affinity }}
affinity: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with .values.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- end -}}

{{- define "vrs.imageFields" -}}
image: {{ include "vrs.image" .root }}
imagePullPolicy: {{ .root.Values.image.pullPolicy }}
{{- end -}}

{{- define "vrs.locked" -}}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
{{- end -}}

{{- define "vrs.env" -}}
{{- range $name, $value := .values.env }}
- { name: {{ $name }}, value: {{ $value | toString | quote }} }
{{- end }}
{{- end -}}

{{- define "vrs.probes" -}}
startupProbe: { httpGet: { path: /live, port: metrics }, periodSeconds: 2, failureThreshold: 60 }
livenessProbe: { httpGet: { path: /live, port: metrics }, periodSeconds: 10, timeoutSeconds: 5, failureThreshold: 6 }
readinessProbe: { httpGet: { path: /ready, port: metrics }, periodSeconds: 5, timeoutSeconds: 3 }
resources: {{ toYaml .values.resources | nindent 2 }}
{{ include "vrs.locked" . }}
{{- end -}}

{{- define "vrs.mounts" -}}
- { name: tmp, mountPath: /tmp }
- { name: data, mountPath: /data }
{{- with .Values.extraVolumeMounts }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- define "vrs.volumes" -}}
- { name: tmp, emptyDir: { sizeLimit: {{ .values.tmpSize }} } }
# Nothing of a fleet's node is kept there.
- { name: data, emptyDir: { sizeLimit: 1Mi } }
{{- with .root.Values.extraVolumes }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{/* Returns the Secret of the image store's keys, unless the pods' identity opens the bucket. */}}
{{- define "vrs.imageStoreSecret" -}}
{{- with include "vrs.secret" (dict "root" .root "secret" "imageStore") -}}
- secretRef: { name: {{ . }} }
{{- end -}}
{{- end -}}

{{/* Returns the number of pods, unless something else sets it. Takes { root, replicas, isScaled }. */}}
{{- define "vrs.replicas" -}}
{{- if .root.Values.stopped -}}
replicas: 0
{{- else if not .isScaled -}}
replicas: {{ .replicas }}
{{- end -}}
{{- end -}}
