import * as v from 'valibot';
import { webhookOf } from '../../../local/codehost/fake-host.ts';
import { codehostCheckRoutes } from '../../../shared/contract/codehost-checks.ts';
import { WebhookDeliveryPage, webhookRoutes } from '../../../shared/contract/webhooks.ts';
import { push } from './codehost-place.ts';
import type { Flow } from './flow.ts';
import { accepted, breakingManifest, declare, declareHeld, manifest, snapshot, unreadSnapshot } from './requests.ts';
import type { FaultRun } from './run.ts';
import type { Place } from './world.ts';

const [first, second] = ['1'.repeat(40), '2'.repeat(40)];

/** The host reports a pull request; it numbers what it tells. */
function tell(run: FaultRun, { codehost }: Place, action: string, delivery: string) {
  const payload = {
    action,
    pull_request: { number: 1 },
    installation: { id: codehost.installation },
    repository: { full_name: codehost.repository },
  };
  const { headers, body } = webhookOf('pull_request', payload, codehost.webhookSecret, delivery);
  const params = { config_id: codehost.app };
  const route = codehostCheckRoutes.receiveWebhook;
  return accepted(run.ask('repositories', { route, params, headers, body: Buffer.from(body) }));
}

function sendManifest(run: FaultRun, { workspace, connector, codehost, token }: Place, commit: string, sent: object) {
  const about = { workspace_id: workspace, connector_id: connector, repository: codehost.repository };
  const body = { ...about, commit_sha: commit, pull_request: 1, project_id: 'crm', manifest: sent };
  return accepted(run.ask('repositories', { route: codehostCheckRoutes.postManifest, token, body }));
}

/** Whole ways to services that are not the service's own. */
export const flowsToOthers: Readonly<Record<string, Flow>> = {
  'notification that nobody takes at first': async (run, place) => {
    const { workspace, webhook, guarded, token } = place;
    const guardedPlace = { ...place, connector: guarded };
    await declare(run, guardedPlace, 'postDbtManifest', snapshot('first', 'orders', 'revenue', 'report'));
    // Only what took effect is guarded: if the first was not sent, the sweep sends it.
    await run.end();
    run.others.isReceiverDown = true;
    await declareHeld(run, guardedPlace, unreadSnapshot('second', 'orders', 'revenue'));
    run.others.isReceiverDown = false;
    const [query, webhook_id] = [{ workspace_id: workspace }, webhook];
    const request = { route: webhookRoutes.listWebhookDeliveries, token, params: { webhook_id }, query };
    const { items } = v.parse(WebhookDeliveryPage, await accepted(run.ask('webhooks', request)));
    for (const { id } of items) {
      const params = { webhook_id, notification_id: id };
      const retry = { route: webhookRoutes.retryWebhookDelivery, token, params, body: query };
      // If the answer to the first request was lost, the notification waits already.
      await accepted(run.ask('webhooks', retry), 409);
    }
  },
  'pull request that is checked': async (run, place) => {
    await declare(run, place, 'postDbtManifest', snapshot('first', 'orders', 'revenue', 'report'));
    // A pull request is compared with the graph at that time.
    await run.end();
    push(run.others.host, 1, first);
    await tell(run, place, 'opened', 'delivery-1');
    await run.settle();
    await sendManifest(run, place, first, breakingManifest());
    await run.settle();
    push(run.others.host, 1, second);
    await tell(run, place, 'synchronize', 'delivery-2');
    await sendManifest(run, place, second, manifest('orders', 'revenue', 'report'));
  },
};
