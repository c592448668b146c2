import { routes } from '../../shared/contract/api/routes.ts';
import { problems } from '../../shared/contract/problems.ts';
import { isSecret, type SecretKind, secretPrefixes } from '../../shared/domain/workspaces/access/secret.ts';

/** Tests put this into what they send wherever a sender's own value may stand: no log line may hold it. */
export const canary = 'c4n4ry';

/** The rule that a log line breaks, null if it breaks none; never what it holds. */
export function leakOf(line: string): string | null {
  if (secretsIn(line)) return 'holds a token or a key';
  if (line.includes(canary)) return 'holds a value that was sent';
  const fields = logged(line);
  if (fields === null) return null;
  const wrong = Object.entries(fields).filter(([name, value]) => !isAllowed(name, value));
  return wrong.length === 0 ? null : `has no rule for what ${wrong.map(([name]) => name).join(', ')} may hold`;
}

/** The fields of a structured line of the service, null of any other line. */
export function logged(line: string): Readonly<Record<string, unknown>> | null {
  if (!/^\{".*\}$/.test(line)) return null;
  const fields = JSON.parse(line);
  return '_aws' in fields || 'level' in fields ? fields : null;
}

const kinds = Object.keys(secretPrefixes) as SecretKind[];

function secretsIn(line: string): boolean {
  const words = line.match(/[A-Za-z0-9_-]+/g) ?? [];
  if (words.some((word) => kinds.some((kind) => isSecret(kind, word)))) return true;
  return /eyJ[\w-]{10,}\.[\w-]{10,}|Bearer |PRIVATE KEY/.test(line);
}

const id = /^[A-Za-z0-9_-]{1,64}$/;
const requestId = /^[A-Za-z0-9._-]{1,128}$/;

/** What the texts of a line may hold, by field. Numbers are counts; any other field may hold no text. */
const texts: Readonly<Record<string, RegExp>> = {
  webhook_id: id,
  notification_id: id,
  level: /^(DEBUG|INFO|WARN|ERROR|CRITICAL)$/,
  /** Plain words: a message is the same whatever was sent. */
  message: /^[a-z][a-z ;,-]{2,80}$/,
  timestamp: /^[0-9TZ:.+-]{20,30}$/,
  service: /^[a-z-]{1,40}$/,
  tenant: /^[a-z][a-z0-9-]{0,29}$/,
  function_name: /^[A-Za-z0-9_-]{1,64}$/,
  function_arn: /^arn:[a-z0-9:-]+:function:[A-Za-z0-9_-]+$/,
  function_request_id: /^[a-z0-9-]{1,40}$/,
  function_memory_size: /^\d{1,6}$/,
  xray_trace_id: /^[0-9a-f-]{1,40}$/,
  request_id: requestId,
  gateway_request_id: requestId,
  method: /^[A-Z]{3,7}$/,
  route: oneOf(Object.keys(routes)),
  code: oneOf(Object.keys(problems)),
  error: /^[A-Za-z]{1,60}$/,
  workspace_id: id,
  connector_id: id,
  delivery_id: id,
  message_id: id,
  partition: /^workspace=[\w-]+\/project=[\w-]+\/environment=[\w-]+\/date=[\d-]+\/hour=\d\d$/,
};

function isAllowed(name: string, value: unknown): boolean {
  if (name === '_aws') return true;
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return true;
  if (typeof value === 'string') return texts[name]?.test(value) ?? false;
  if (Array.isArray(value))
    return value.every(
      (one) =>
        typeof one === 'number' ||
        (name === 'message_ids' && id.test(one)) ||
        (name === 'request_ids' && requestId.test(one)),
    );
  return name === 'error' && isDescription(value as object);
}

/** The name of an error and where it was thrown; code and message only for the service's own faults. */
const isDescription = (error: object): boolean =>
  Object.entries(error).every(([name, value]) => descriptions[name]?.test(value) ?? false);

const descriptions: Readonly<Record<string, RegExp>> = {
  name: /^[A-Za-z]{1,60}$/,
  stack: /^(\s+at [^\n]*\n?)*$/,
  code: /^[a-z_]{1,60}$/,
  message: /^[a-z][a-z ;,-]{2,80}$/,
};

function oneOf(words: readonly string[]): RegExp {
  return new RegExp(`^(${words.join('|')})$`);
}
