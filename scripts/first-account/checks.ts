import { createHash, randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import * as v from 'valibot';
import { canaryRound } from '../../shared/client/canary-round.ts';
import { routes } from '../../shared/contract/api/routes.ts';
import { limits } from '../../shared/contract/limits.ts';
import { httpFunctions, type Route } from '../../shared/contract/route.ts';
import { SignInDirections } from '../../shared/contract/settings.ts';
import { UploadTicket } from '../../shared/contract/uploads.ts';
import { type Answer, ask, type Deployment, type Finding, inShort } from './ask.ts';

type Check = (deployment: Deployment) => Promise<Finding>;

const json = { 'Content-Type': 'application/json' };

/** Behavior that emulators assume and only an account proves, by statement. */
export const checks: Readonly<Record<string, Check>> = {
  'every function starts under its NODE_OPTIONS, and its first answer, which a cold start may delay, is in the envelope':
    functionsStart,
  'a gzip body arrives, whether the gateway inflated it or left it': async ({ url, keys }) => {
    const body = new Uint8Array(gzipSync(JSON.stringify(batchOf(keys.project_key))));
    const headers = { ...json, 'Content-Encoding': 'gzip' };
    const answer = await ask(`${url}/collect/v1/batch`, { method: 'POST', headers, body });
    return { holds: answer.status === 202, saw: inShort(answer) };
  },
  'a body that says gzip and is not is refused, by the gateway (415) or by the function': async ({ url, keys }) => {
    const headers = { ...json, 'Content-Encoding': 'gzip' };
    const body = '\u001f\u008bno gzip';
    const answer = await ask(events(url, keys.workspace_id), { method: 'POST', token: keys.token, headers, body });
    return { holds: [400, 415].includes(answer.status) && answer.code !== null, saw: inShort(answer) };
  },
  'a body of the inline limit reaches its function; one of 7 MiB, and one of 11 MiB, are refused in the envelope':
    sizes,
  'the challenge of a 401 arrives, under its own name or the gateway’s': async ({ url, keys }) => {
    const answer = await ask(`${url}/v1/lineage/providers?workspace_id=${keys.workspace_id}`);
    const names = ['www-authenticate', 'x-amzn-remapped-www-authenticate'].filter((name) => answer.headers.has(name));
    return { holds: answer.status === 401 && names.length > 0, saw: `${inShort(answer)}, ${names.join(', ')}` };
  },
  'the id of an answer is the gateway’s, or the sender’s': async ({ url }) => {
    const own = await ask(`${url}/health`);
    const provided = await ask(`${url}/health`, { headers: { 'X-Request-ID': 'first-account-1' } });
    const [ours, gateways] = ['x-request-id', 'x-amzn-requestid'].map((name) => own.headers.get(name));
    const transferred = provided.headers.get('x-request-id') === 'first-account-1';
    return {
      holds: transferred && ours !== null && (gateways === null || gateways === ours),
      saw: `X-Request-ID ${ours}, x-amzn-RequestId ${gateways}; the sender’s is ${transferred ? '' : 'not '}taken over`,
    };
  },
  'an export is streamed': async ({ url, keys }) => {
    const query = new URLSearchParams({ workspace_id: keys.workspace_id, output: 'ndjson' });
    const answer = await ask(`${url}${routes.exportLineage.path}?${query}`, { token: keys.token });
    const [length, coding] = ['content-length', 'transfer-encoding'].map((name) => answer.headers.get(name));
    return {
      holds: answer.status === 200 && length === null,
      saw: `${inShort(answer)}, ${answer.text.length} characters, content-length ${length}, transfer-encoding ${coding}`,
    };
  },
  'a ticket of an upload takes the announced bytes and no others': uploads,
  'the settings name the issuer, and the issuer responds': async ({ url }) => {
    const directions = await ask(`${url}${routes.getSignInDirections.path}`);
    const { discovery_url } = v.parse(SignInDirections, JSON.parse(directions.text));
    const described = await ask(discovery_url);
    return { holds: described.status === 200, saw: `${discovery_url}: ${inShort(described)}` };
  },
  'an event is stored, and a run projected and answered, through queues, workers and roles': async ({ url, keys }) => {
    const start = performance.now();
    const timeIsUp = () => performance.now() - start > 120_000;
    await canaryRound(keys, { url, newId: randomUUID, timeIsUp });
    return { holds: true, saw: `${Math.round(performance.now() - start)} ms` };
  },
};

/** What cannot be asked from outside in an hour, and where in the account it shows. */
export const unsettled: Readonly<Record<string, string>> = {
  'a recount of more than 16 steps is not cut as a recursion':
    'Change the policy of a connector with some thousand relations, and look at RecursiveInvocationsDropped of projector and document-projector in CloudWatch: there is no such metric.',
  'Athena reads the lake, also if keys differ only in case':
    'Send an event whose properties are {"a":1,"A":2}; once it is stored: SELECT properties FROM tributary_NAME.events WHERE workspace = … AND project = … AND environment = … AND date = … is an answer, not HIVE_CURSOR_ERROR.',
  'an answer beyond 6 MB comes as a stream':
    'tributary export of a workspace with some ten thousand relations is whole.',
  'a gzip body arrives at a function URL, if the tenant has functionUrls':
    'Send a gzip batch to the output CollectUrl as the second check does to the API: the answer is 202, and not 400 invalid_compression.',
  'one query finds a request in all logs':
    'The query of the runbook, section One request, with the X-Request-ID of any answer: the lines of gateway, function and worker.',
};

const events = (url: string, workspace: string) => `${url}/api/v1/lineage/batch?workspace_id=${workspace}`;

const batchOf = (project_key: string) => ({
  project_key,
  events: [
    { id: randomUUID(), type: 'track', event: 'first account', user_id: 'u', timestamp: new Date().toISOString() },
  ],
});

async function functionsStart({ url }: Deployment): Promise<Finding> {
  const all: readonly Route[] = Object.values(routes);
  const answers: [string, Answer, Answer][] = [];
  for (const name of httpFunctions) {
    const route = all.find((one) => one.function === name);
    if (!route) continue;
    const address = url + route.path.replaceAll(/\{\w+\}/g, 'x');
    const question = { method: route.method, headers: json, ...(route.method !== 'GET' && { body: '{}' }) };
    answers.push([name, await ask(address, question), await ask(address, question)]);
  }
  const wrong = answers.filter(([, first, second]) =>
    [first, second].some(({ status }) => status === 0 || status >= 500),
  );
  const statement = answers.map(
    ([name, first, { milliseconds }]) => `${name} ${inShort(first)}, then ${milliseconds} ms`,
  );
  return { holds: wrong.length === 0, saw: statement.join('; ') };
}

async function sizes({ url, keys }: Deployment): Promise<Finding> {
  const send = (bytes: number) =>
    ask(events(url, keys.workspace_id), {
      method: 'POST',
      token: keys.token,
      headers: json,
      // An empty batch, which its function refuses for another reason than its size.
      body: `[${' '.repeat(bytes - 2)}]`,
    });
  const [fits, above, far] = [await send(limits.inlineBytes), await send(7 * 2 ** 20), await send(11 * 2 ** 20)];
  const isReached = fits.code !== null && fits.status < 500 && fits.code !== 'body_too_large';
  return {
    holds: isReached && [above, far].every(({ status, code }) => status === 413 && code === 'body_too_large'),
    saw: [fits, above, far].map(inShort).join('; '),
  };
}

async function uploads({ url, keys }: Deployment): Promise<Finding> {
  const bytes = Buffer.from(JSON.stringify({ first: 'account' }));
  const { workspace_id, token } = keys;
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const announced = { workspace_id, kind: 'openlineage_event', content_length: bytes.length, sha256 };
  const statement = await ask(`${url}${routes.createUpload.path}`, {
    method: 'POST',
    token,
    headers: json,
    body: JSON.stringify(announced),
  });
  const ticket = v.parse(UploadTicket, JSON.parse(statement.text));
  const put = (body: Buffer) => ask(ticket.url, { method: 'PUT', headers: ticket.headers, body: new Uint8Array(body) });
  const other = await put(Buffer.from(bytes.toString().replace('account', 'amounts')));
  const same = await put(bytes);
  const isRefused = other.status >= 400 && other.status < 500;
  return {
    holds: isRefused && same.status === 200,
    saw: `other bytes ${inShort(other)}; the bytes ${inShort(same)}`,
  };
}
