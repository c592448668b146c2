/** What a web page loads to send its events. */
export const installOnPage = (address: string, key: string): string => `<script type="module">
  import posthog from 'posthog-js';
  import { posthogJsOptions } from 'tributary-posthog';

  posthog.init('${key}', posthogJsOptions('${address}'));
  posthog.capture('Order Placed', { total: 42 });
</script>`;

/** What a server sends, as a command that can be tried at once. */
export const installOnServer = (address: string, key: string): string => `curl -s ${address}/collect/v1/batch \\
  -H 'content-type: application/json' \\
  -d '{"project_key":"${key}","events":[{"id":"order-1","type":"track","event":"Order Placed",
       "user_id":"user-1","timestamp":"${new Date().toISOString()}"}]}'`;
