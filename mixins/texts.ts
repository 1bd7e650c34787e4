import { count } from "../shared/text/format.ts";

/** Texts about the database, images, and the work queue, for operators. */

export const DATABASE_MESSAGES = {
  noResponse: "The database did not respond.",
  unavailable: "The database did not respond. No data was lost. Retry shortly.",
  unreachable: (host: string, why: string, seconds: number) =>
    `PostgreSQL at ${host} is not reachable (${why}). Retrying in ${count(seconds, "second")}.`,
  stopped: "The node stopped while it waited for PostgreSQL.",
  rejected: (host: string, why: string, remedy: string) =>
    `PostgreSQL at ${host} rejects this node: ${why}. ${remedy}`,
  credentials: "Fix the user and password in DATABASE_URL, or the permissions of that user.",
  noTls: "Remove sslmode from DATABASE_URL, or enable TLS on the server.",
  certificate: "Set sslrootcert=/path/to/ca.crt in DATABASE_URL. sslmode=no-verify trusts any server.",
  noDatabase: "Create this database, or fix its name in DATABASE_URL.",
  standby: "This server is a standby, which accepts no writes.",
  statementPooling:
    "Set pool_mode=transaction or pool_mode=session in PgBouncer. Statement pooling allows no transactions.",
  unknownAtPooler: "Add the database and the user of DATABASE_URL to PgBouncer's configuration.",
  noPermission: "Allow the user of DATABASE_URL to create schemas in this database.",
  noFolder: (why: string) =>
    `${why}. Set SERVICE_DATA_DIR and SERVICE_CACHE_DIR to folders that this user can read and write.`,
  inUse: (folder: string) =>
    `${folder} is in use by another vrs process. Stop it, or set SERVICE_DATA_DIR to another folder.`,
};

export const SECRET_MESSAGES = {
  dropped: (secrets: number, schema: string) =>
    `${count(secrets, "secret")} of ${schema} ${secrets === 1 ? "was" : "were"} deleted, because the key is lost. Save them again and unset SERVICE_DROP_SECRETS.`,
  noKeys: "This database was opened without the keys of its secrets.",
  noKeyIn: (file: string) =>
    `${file} contains no key. Restore it from a backup. Without a backup, delete the file and start once with SERVICE_DROP_SECRETS=1. That deletes the secrets of this key.`,
  invalidKey: (command: string) => `A new key is invalid. Create one with: ${command}`,
};

export const FOLDER_MESSAGES = {
  shared: (folder: string) =>
    `Other accounts share ${folder}. Set SERVICE_DATA_DIR to a folder that only this account uses.`,
  readable: (folder: string, why: string) =>
    `Other accounts can read ${folder}: ${why}. Ask its owner to run \`chmod 700\` on it. Or set SERVICE_DATA_DIR to a folder of this account.`,
};

export const IMAGE_MESSAGES = {
  notWritable: (folder: string, why: string) => `Images can't be stored in ${folder}: ${why}.`,
  missing: (hash: string, store: string) => `There is no image ${hash} in ${store}.`,
  changed: (hash: string) => `The image ${hash} was changed in its store.`,
  notAHash: (hash: string) => `${hash} is not a SHA-256 hash.`,
  bucket: (bucket: string, endpoint: string | null, region: string) =>
    `the bucket ${bucket} at ${endpoint ?? `S3 in ${region}`}`,
  refused: (bucket: string, why: string) =>
    `IMAGE_STORE_URL: ${bucket} can't be used (${why}). Check the bucket's name and region. This node's credentials must allow to list the bucket, and to read, write, and delete objects.`,
  unreachable: (bucket: string, why: string) =>
    `IMAGE_STORE_URL: ${bucket} is not reachable yet (${why}). Images can't be stored or shown until it is.`,
  timeout: (bucket: string, ms: number) => `${bucket} did not respond within ${ms} ms.`,
  noSigning: "The S3 client can't sign URLs.",
  noLength: (bucket: string) => `${bucket} sent a stream without a length.`,
};

export const JOB_MESSAGES = {
  overdue: (seconds: number) => `The job did not finish within ${count(seconds, "second")}.`,
  discarded: (queue: string, why: string) => `A message of ${queue} was discarded: ${why}`,
  unreadable: (subject: string, why: string) => `${subject} can't be read and was discarded: ${why}`,
  notRemoved: (owner: string, why: string) => `The jobs of ${owner} could not be removed: ${why}`,
  notQueued: (subject: string, why: string) => `The job ${subject} was not queued: ${why}`,
  tooLarge: (bytes: number) => `its message has ${bytes} bytes, more than the max_payload of NATS.`,
  workerFailed: (queue: string, why: string) => `A worker of ${queue} failed: ${why}`,
  notHandedBack: (queue: string, why: string) =>
    `A job of ${queue} could not be returned to the queue and will be delivered again: ${why}`,
  notReported: (queue: string, why: string) => `The end of a job of ${queue} could not be reported: ${why}`,
  notAJob: (subject: string, reply: string | undefined) =>
    `${subject} is not the subject of a job, or ${reply} is not the subject of its answer.`,
  badName: (part: string) =>
    `"${part}" can't be part of a job's name. Use 1 to 200 letters, digits, _ and -.`,
  noQueues:
    "The work queues don't exist yet. Start a node that runs services other than renderer and differ.",
  queuesNotCreated: (why: string) => `NATS could not create the work queues: ${why}`,
  streamNotUpdated: (stream: string, why: string) =>
    `The settings of the stream ${stream} could not be updated: ${why}`,
  notMeasured: "The queues could not be measured.",
};

export const NATS_MESSAGES = {
  notConnected: "NATS is not connected.",
  lost: "The connection to NATS was lost.",
  connected: (server: string) => `Connected to NATS at ${server}.`,
  unreachable: (servers: string, why: string) => `NATS is not reachable at ${servers} (${why}). Retrying.`,
  lostAt: (servers: string) =>
    `The connection to NATS at ${servers} was lost. Work continues when it is back.`,
  back: (server: string) => `NATS is back at ${server}.`,
  error: (why: string) => `NATS reports an error: ${why}`,
  errorFor: (operation: string | undefined, subject: string, why: string) =>
    `NATS reports an error for ${operation} of ${subject}: ${why}`,
  stale: (servers: string) => `NATS at ${servers} stopped responding.`,
  tooManyReplicas: (why: string) => `${why}. NATS_REPLICAS must not exceed the servers of the cluster.`,
  noJetStream: "JetStream is not responding. Start nats-server with JetStream (-js).",
};

/** Descriptions of the queues' metrics. */
