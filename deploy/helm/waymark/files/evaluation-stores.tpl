# One copy of each store, for templates/evaluation/stores.yaml. The names are those in _topology.tpl.
mongodb:
  image: {{ .Values.evaluation.mongodb.image }}
  port: 27017
  user: 999
  # Skips the image's entrypoint, which needs root. mongod refuses a key file that others may read, as files of a Secret are.
  command:
    - sh
    - -ec
    - |
      (umask 077 && printf %s "$MONGODB_KEY" > /tmp/key)
      exec mongod "$@"
    - mongod
  # Without --ipv6, mongod listens on IPv4 only. A node without IPv6 accepts the flag.
  args: [--replSet, rs0, --keyFile, /tmp/key, --bind_ip_all, --ipv6, --unixSocketPrefix, /tmp]
  variables: { MONGODB_KEY: MONGODB_KEY, MONGODB_PASSWORD: MONGODB_PASSWORD }
  # Without a user, mongod lets connections from its own pod create one, also in data from before there were passwords.
  probe:
    exec:
      command:
        - mongosh
        - --quiet
        - --norc
        - --eval
        - |
          const { setName, isWritablePrimary } = db.adminCommand({ hello: 1 });
          if (!setName) db.adminCommand({ replSetInitiate: { _id: 'rs0', members: [{ _id: 0, host: '{{ .host }}' }] } });
          if (!isWritablePrimary) quit(1);
          const roles = ['readWriteAnyDatabase', 'dbAdminAnyDatabase', 'clusterMonitor'];
          const UNAUTHORIZED = 13; // There is a user.
          try {
            db.adminCommand({ createUser: 'waymark', pwd: process.env.MONGODB_PASSWORD, roles });
          } catch (error) {
            if (error.code !== UNAUTHORIZED) throw error;
          }
  dataPath: /data/db
  storage: {{ .Values.evaluation.mongodb.storage }}
  resources:
    requests: { cpu: 200m, memory: 512Mi }
    limits: { memory: 2Gi }
redis:
  image: {{ .Values.evaluation.redis.image }}
  port: 6379
  user: 999
  # Skips the image's entrypoint, which loads modules into memory.
  command: [redis-server]
  # Rate-limit counters only; a restart may lose them. redis-cli reads the variable too.
  args: [--save, "", --appendonly, "no", --requirepass, $(REDISCLI_AUTH)]
  variables: { REDISCLI_AUTH: REDIS_PASSWORD }
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
  variables:
    {{- range regexFindAll "[A-Z]+_NATS_PASSWORD" .natsUsers -1 | uniq }}
    {{ . }}: {{ . }}
    {{- end }}
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
    {{- .natsUsers | nindent 4 }}
  resources:
    requests: { cpu: 50m, memory: 128Mi }
    limits: { memory: 512Mi }
