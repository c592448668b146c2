import { createHmac, randomUUID } from 'node:crypto';
import type { HostRepository, HostState } from './state.ts';

/** A webhook as the host sends it: its headers, and the bytes that its signature is over. */
export function webhookOf(event: string, payload: object, secret: string, delivery: string = randomUUID()) {
  const body = JSON.stringify(payload);
  return {
    body,
    headers: {
      'content-type': 'application/json',
      'x-github-event': event,
      'x-github-delivery': delivery,
      'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
    },
  };
}

/** Tells the app of a repository of what happened there, where the app has said where. As at the host, nobody waits for it. */
export function tellApp(state: HostState, repository: HostRepository, event: string, payload: object): void {
  const installation = state.installations.find(({ id }) => id === repository.installationId);
  const app = state.apps.find(({ id }) => id === installation?.appId);
  if (!app?.webhookUrl) return;
  const subject = {
    installation: { id: repository.installationId },
    repository: { full_name: `${repository.owner}/${repository.name}` },
  };
  const { headers, body } = webhookOf(event, { ...payload, ...subject }, app.webhookSecret);
  fetch(app.webhookUrl, { method: 'POST', headers, body }).then(
    ({ status }) => state.log.push(`webhook ${event} ${status}`),
    () => state.log.push(`webhook ${event} failed`),
  );
}
