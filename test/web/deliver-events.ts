import * as v from 'valibot';
import { vi } from 'vitest';
import { shopOfSample } from '../support/sample-browser.ts';
import type { ServiceProcess } from '../support/service-process.ts';

/** An OpenLineage event of a job that makes a relation of the warehouse from another. */
export function jobEvent(service: ServiceProcess, from: string, to: string): object {
  const { connectors } = shopOfSample(service);
  const dataset = (name: string) => ({ namespace: connectors['warehouse']?.namespaces[0], name });
  return {
    eventTime: new Date().toISOString(),
    producer: 'https://browser.test',
    schemaURL: 'https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/JobEvent',
    job: { namespace: 'browser', name: `make ${to}` },
    inputs: [dataset(from)],
    outputs: [dataset(to)],
  };
}

/** Sends a batch of OpenLineage events, waits until its delivery is in one of the states, and returns its id. */
export async function deliverEvents(
  service: ServiceProcess,
  events: readonly object[],
  { states, timeout }: { readonly states: RegExp; readonly timeout: number },
): Promise<string> {
  const { id: workspace, tokens, connectors } = shopOfSample(service);
  const headers = { authorization: `Bearer ${tokens['editor']}`, 'content-type': 'application/json' };
  const at = (path: string) => `${service.credentials.base_url}${path}?workspace_id=${workspace}`;
  const url = `${at('/api/v1/lineage/batch')}&connector_id=${connectors['warehouse']?.id}`;
  const sent = await fetch(url, { method: 'POST', headers, body: JSON.stringify(events) });
  const { delivery_id: id } = v.parse(v.object({ delivery_id: v.string() }), await sent.json());
  const state = async () => {
    const answer = await fetch(at(`/v1/lineage/deliveries/${id}`), { headers });
    return v.parse(v.object({ state: v.string() }), await answer.json()).state;
  };
  await vi.waitUntil(async () => states.test(await state()), { timeout, interval: 200 });
  return id;
}
