# One copy of each store, for templates/evaluation/stores.yaml. The names are those in _topology.tpl.
mongodb:
  image: {{ .Values.evaluation.mongodb.image }}
  port: 27017
  user: 999
  # Skips the image's entrypoint, which needs root.
  command: [mongod]
  # Without --ipv6, mongod listens on IPv4 only. A node without IPv6 accepts the flag.
  args: [--replSet, rs0, --bind_ip_all, --ipv6, --unixSocketPrefix, /tmp]
  probe:
    exec:
      command:
        - mongosh
        - --quiet
        - --norc
        - --eval
        - |
          try { rs.status() } catch { rs.initiate({ _id: 'rs0', members: [{ _id: 0, host: '{{ .host }}' }] }) }
          if (!db.hello().isWritablePrimary) quit(1)
  dataPath: /data/db
  storage: {{ .Values.evaluation.mongodb.storage }}
  resources:
    requests: { cpu: 200m, memory: 512Mi }
    limits: { memory: 2Gi }
redis:
  image: {{ .Values.evaluation.redis.image }}
  port: 6379
  user: 999
  # Rate-limit counters only; a restart may lose them.
  args: [redis-server, --save, "", --appendonly, "no"]
  probe:
    exec: { command: [redis-cli, ping] }
  resources:
    requests: { cpu: 50m, memory: 64Mi }
    limits: { memory: 256Mi }
nats:
  image: {{ .Values.evaluation.nats.image }}
  port: 4222
  user: 1000
  args: [--config, /etc/waymark/nats.conf]
  probe: &health
    exec: { command: [wget, -q, -O, /dev/null, "http://127.0.0.1:8222/healthz"] }
  # After a failed write, as to a full disk, NATS stores nothing more until it restarts. This path reports it.
  liveness: *health
  dataPath: /data
  storage: {{ .Values.evaluation.nats.storage }}
  # By default, NATS acknowledges before it syncs and would lose the last seconds in a power failure.
  file: |
    server_name: waymark
    http: 127.0.0.1:8222
    max_payload: 8388608
    jetstream {
      store_dir: /data
      sync_interval: always
      # The stream's maximum is 8 GiB, and NATS reserves all of it at once.
      max_file_store: 1TB
    }
  resources:
    requests: { cpu: 50m, memory: 128Mi }
    limits: { memory: 512Mi }
