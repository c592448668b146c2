import { createHash, randomBytes, randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { randomFrom } from '../support/fuzz/mutate.ts';
import { accessCode, enabledChecks, keyedDelivery, policyFrom } from '../support/histories/models.ts';
import { startProcess } from '../support/service-process.ts';
import { type Answer, type Client, clientOf, type Recorded, recordedBy, several } from './recorded-history.ts';
import { firstValues, snapshots } from './stored-histories.ts';
import type { Verification, VerifyOptions } from './verification.ts';

type Random = ReturnType<typeof randomFrom>;

/** Concurrent clients over HTTP at the local service, whose answers some order of their requests has to explain. */
export async function* verifyHistories({ quick, seed }: VerifyOptions): Verification {
  const service = await startProcess(['--in-memory', '--seed', 'conformance']);
  try {
    const client = clientOf(service.credentials);
    const rules = {
      // Before a policy is put that admits nothing of them.
      'snapshots in accepted order': snapshots,
      'first value wins': firstValues(service),
      'one delivery per key': keys,
      'a policy holds': policies,
      'enabled checks': checks,
      codes: codes,
    };
    for (const [rule, record] of Object.entries(rules)) {
      const random = randomFrom(seed);
      const recorded: Recorded[] = [];
      for (let round = 0; round < (quick ? 5 : 30); round++) recorded.push(await record(client, random));
      const operations = recorded.reduce((sum, one) => sum + one.history.length, 0);
      const answered = recorded.reduce((sum, one) => sum + one.answered, 0);
      const violations = recorded.filter(({ isExplained }) => !isExplained).map(({ history }) => history);
      yield { rule, histories: recorded.length, operations, answered, violations };
    }
  } finally {
    await service.end('SIGTERM');
  }
}

async function keys({ workspace, call }: Client, random: Random): Promise<Recorded> {
  const [key, run] = [randomUUID(), randomUUID()];
  const send = (content: string) => async () => {
    const body = {
      eventTime: '2026-11-20T10:00:00Z',
      producer: 'https://example.com',
      run: { runId: run },
      job: content,
    };
    const path = `/api/v1/lineage?workspace_id=${workspace}`;
    const { status, json } = await call('POST', path, { body, headers: { 'idempotency-key': key } });
    if (status === 202) return json['duplicate'] ? ('duplicate' as const) : ('accepted' as const);
    return status === 409 ? ('conflict' as const) : null;
  };
  const request = () => {
    const input = random(2) === 0 ? 'one' : 'other';
    return { input, ask: send(input) };
  };
  return recordedBy(
    several(6, () => several(3, request)),
    keyedDelivery,
  );
}

const Policy = v.object({
  revision: v.number(),
  filters: v.object({ schema_scope: v.object({ include: v.array(v.string()) }) }),
});

async function policies({ workspace, connector, call }: Client, random: Random): Promise<Recorded> {
  const path = `/v1/connectors/${connector}/lineage-policy`;
  const stateOf = ({ status, json }: Answer) => {
    if (status !== 200) return null;
    const { revision, filters } = v.parse(Policy, json);
    return { revision, value: filters.schema_scope.include.join() };
  };
  const get = async () => stateOf(await call('GET', `${path}?workspace_id=${workspace}`));
  const put = (value: string) => async () => {
    const rest = {
      principals: { mode: 'exclude', patterns: [], unmatched: 'admit' },
      statement_kinds: [],
      provider_rules: [],
    };
    const filters = { schema_scope: { include: [value], exclude: [] }, ...rest };
    return stateOf(await call('PUT', path, { body: { workspace_id: workspace, filters } }));
  };
  const initial = await get();
  if (initial === null) throw new Error('the policy cannot be read');
  const request = () => {
    if (random(2) === 0) return { input: 'get' as const, ask: get };
    const value = `t${random(1_000_000)}.*`;
    return { input: { put: value }, ask: put(value) };
  };
  return recordedBy(
    several(4, () => several(3, request)),
    policyFrom(initial),
  );
}

const Checks = v.object({
  agent_checks: v.array(v.object({ id: v.string(), enabled: v.boolean() })),
  max_enabled: v.number(),
});

async function checks({ workspace, call }: Client, random: Random): Promise<Recorded> {
  const list = async () => v.parse(Checks, (await call('GET', `/v1/agent/checks?workspace_id=${workspace}`)).json);
  const remove = (id: string) => call('DELETE', `/v1/agent/checks/${id}?workspace_id=${workspace}`);
  const { agent_checks, max_enabled } = await list();
  for (const { id } of agent_checks) await remove(id);
  const clientsOwn = () => {
    const create = async () => {
      const body = { workspace_id: workspace, name: 'a check', expectation: 'no removed column' };
      const { status } = await call('POST', '/v1/agent/checks', { body });
      return status === 201 ? ('done' as const) : status === 409 ? ('refused' as const) : null;
    };
    const enabled = async () => (await list()).agent_checks.filter((one) => one.enabled).length;
    return several(5, () =>
      random(4) === 0 ? { input: 'list' as const, ask: enabled } : { input: 'create' as const, ask: create },
    );
  };
  return recordedBy<number, 'create' | 'list', 'done' | 'refused' | number>(
    several(5, clientsOwn),
    enabledChecks(max_enabled),
  );
}

async function codes({ workspace, call }: Client): Promise<Recorded> {
  const code_verifier = randomBytes(48).toString('base64url');
  const code_challenge = createHash('sha256').update(code_verifier).digest('base64url');
  const device = { redirect_uri: 'http://127.0.0.1:7777/callback', device_id: randomUUID() };
  const query = { workspace_id: workspace, code_challenge, device_name: 'laptop', ...device };
  const { json } = await call('POST', '/v1/agent/authorize', { body: query });
  const ask = async () => {
    const body = { code: json['code'], code_verifier, ...device };
    const { status } = await call('POST', '/v1/agent/token', { body, anonymous: true });
    return status < 300 ? ('token' as const) : status < 500 ? ('refused' as const) : null;
  };
  return recordedBy(
    several(5, () => [{ input: 'exchange' as const, ask }]),
    accessCode,
  );
}
