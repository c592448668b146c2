import { setTimeout as after } from 'node:timers/promises';
import { GetQueueAttributesCommand, type QueueAttributeName, SQSClient } from '@aws-sdk/client-sqs';
import * as v from 'valibot';
import { limits } from '../../shared/contract/limits.ts';
import { accessKeysOf } from '../../shared/contract/stack-outputs.ts';
import { startProcess } from '../../test/support/service-process.ts';

/** A server that takes OpenLineage events and answers what a dataset has to do with others. */
export type OpenLineageServer = {
  readonly namespace: string;
  readonly pids: readonly number[];
  readonly takesBatches: boolean;
  /** Answers once the server has; throws where it refuses. */
  readonly send: (body: Uint8Array, isBatch: boolean) => Promise<void>;
  /** Resolves once queries see everything that was sent. */
  readonly settled: () => Promise<void>;
  /** The datasets, or with a column `DATASET.COLUMN`, that an answer names in both directions. */
  readonly ask: (question: Question) => Promise<ReadonlySet<string>>;
  /** The datasets that are found by words. */
  readonly search: (words: string) => Promise<ReadonlySet<string>>;
};

type Question = { readonly dataset: string; readonly depth: number; readonly column: string | null };

const Named = v.array(v.object({ relation_ref: v.string(), columns: v.optional(v.array(v.string()), []) }));
const Relations = v.object({ upstream: Named, downstream: Named });
const States = v.object({ items: v.array(v.unknown()) });
const Graph = v.object({ graph: v.array(v.object({ id: v.string() })) });
const Found = v.object({ results: v.array(v.object({ name: v.string() })) });

/**
 * The whole service on this machine, in its own process. Waiting until it has settled must not count as its work: the
 * list of all deliveries, read five times a second, took a fifth of an event's time.
 */
export async function ownService(): Promise<OpenLineageServer & { readonly stop: () => Promise<void> }> {
  const { credentials, pid, end } = await startProcess(['--in-memory', '--seed', 'conformance']);
  const [workspace] = Object.values(credentials.workspaces);
  const connector = workspace?.connectors['warehouse'];
  if (!workspace || !connector) throw new Error('the seed has another form');
  const { base_url: url, local } = credentials;
  const sqs = new SQSClient({
    region: local.region,
    endpoint: local.endpoints.sqs,
    credentials: accessKeysOf(local),
  });
  const queue = { sqs, url: local.projection_queue_url };
  const bearer = { authorization: `Bearer ${workspace.tokens['admin']}` };
  const place = { workspace_id: workspace.id, connector_id: connector.id };
  const listed = async (state: string) => {
    const query = new URLSearchParams({ workspace_id: workspace.id, state, limit: '1' });
    return v.parse(States, await answered(`${url}/v1/lineage/deliveries?${query}`, { headers: bearer })).items.length;
  };
  return {
    namespace: connector.namespaces[0] ?? '',
    pids: [pid],
    takesBatches: true,
    send: async (body, isBatch) => {
      const path = isBatch ? '/api/v1/lineage/batch' : '/api/v1/lineage';
      await answered(`${url}${path}?${new URLSearchParams(place)}`, posting(body, bearer));
    },
    settled: async () => {
      while ((await messagesIn(queue)) > 0) await after(50);
    },
    ask: async (question) => {
      const query = new URLSearchParams({ ...place, ...impactQuery(question) });
      const answer = v.parse(Relations, await answered(`${url}/v1/lineage/impact?${query}`, { headers: bearer }));
      const named = [...answer.upstream, ...answer.downstream];
      if (question.column === null) return new Set(named.map(datasetOf));
      return new Set(named.flatMap((one) => one.columns.map((column) => `${datasetOf(one)}.${column}`)));
    },
    search: async (q) => {
      const query = new URLSearchParams({ ...place, q });
      const page = await answered(`${url}/v1/lineage/relations?${query}`, { headers: bearer });
      return new Set(v.parse(v.object({ items: Named }), page).items.map(datasetOf));
    },
    stop: async () => {
      try {
        for (const state of ['accepted', 'processing', 'failed'])
          if ((await listed(state)) > 0) throw new Error(`a delivery is ${state}`);
      } finally {
        sqs.destroy();
        await end('SIGTERM');
      }
    },
  };
}

/** Waiting, being worked, or delayed: a message is deleted when its delivery is projected. */
async function messagesIn({ sqs, url }: Queue): Promise<number> {
  const names = ['', 'NotVisible', 'Delayed'].map((of) => `ApproximateNumberOfMessages${of}` as QueueAttributeName);
  const { Attributes } = await sqs.send(new GetQueueAttributesCommand({ QueueUrl: url, AttributeNames: names }));
  return names.reduce((sum, name) => sum + Number(Attributes?.[name] ?? 0), 0);
}

type Queue = { readonly sqs: SQSClient; readonly url: string };

/** The load names datasets without a database and a schema, which are the connector's. */
const datasetOf = ({ relation_ref }: { readonly relation_ref: string }): string =>
  relation_ref.slice(relation_ref.lastIndexOf('.') + 1);

const impactQuery = ({ dataset, depth, column }: Question): Record<string, string> => ({
  relation_ref: dataset,
  direction: 'both',
  max_depth: String(depth),
  max_nodes: String(limits.impact.nodes.max),
  // The load's runs are of January 2026.
  include_stale: 'true',
  ...(column !== null && { column_ref: column }),
});

/** A Marquez (https://marquezproject.ai) that somebody has started; it has projected an event when it answers. */
export function marquez(url: string, pids: readonly number[]): OpenLineageServer {
  const namespace = 'warehouse';
  return {
    namespace,
    pids,
    takesBatches: false,
    send: async (body) => {
      await answered(`${url}/api/v1/lineage`, posting(body));
    },
    settled: async () => {},
    ask: async ({ dataset, depth, column }) => {
      const route = column === null ? 'lineage' : 'column-lineage';
      const nodeId =
        column === null ? `dataset:${namespace}:${dataset}` : `datasetField:${namespace}:${dataset}:${column}`;
      const query = new URLSearchParams({ nodeId, depth: String(depth), withDownstream: String(column !== null) });
      const { graph } = v.parse(Graph, await answered(`${url}/api/v1/${route}?${query}`));
      const named = graph.filter(({ id }) => id !== nodeId).map(({ id }) => id.split(':'));
      const kind = column === null ? 'dataset' : 'datasetField';
      return new Set(named.flatMap(([is, , ...names]) => (is === kind ? [names.join('.')] : [])));
    },
    search: async (q) => {
      const query = new URLSearchParams({ q, filter: 'DATASET', limit: '100' });
      const found = v.parse(Found, await answered(`${url}/api/v1/search?${query}`));
      return new Set(found.results.map(({ name }) => name));
    },
  };
}

const posting = (body: Uint8Array, headers: Readonly<Record<string, string>> = {}) => ({
  method: 'POST',
  headers: { ...headers, 'content-type': 'application/json' },
  body,
});

/**
 * The JSON of a response, null if there is none. 429 is retried, and as an OpenLineage client does, a few times 5xx:
 * Marquez answers 500 if two requests create the same dataset at once. Each retry is printed on standard error.
 */
async function answered(url: string, request: RequestInit = {}): Promise<unknown> {
  for (let failures = 0; ; ) {
    const response = await fetch(url, request);
    const text = await response.text();
    if (response.ok) return text === '' ? null : JSON.parse(text);
    const { pathname } = new URL(url);
    if (response.status >= 500 && ++failures < 4)
      console.error(`${pathname} responded with ${response.status}, retried`);
    else if (response.status !== 429) throw new Error(`${pathname} responded with ${response.status}: ${text}`);
    await after(1_000 * Number(response.headers.get('retry-after') ?? 1));
  }
}
