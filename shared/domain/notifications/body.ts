import type { WorkspaceId } from '../../contract/ids.ts';
import type { Notification } from '../../contract/notification-messages.ts';
import type { WebhookFormat } from '../../contract/vocabulary.ts';

/** What a webhook is sent: a notification, or the test of one. */
export type Told = Omit<Notification, 'type'> & { readonly type: string };

/** The body of a notification in the form that its webhook takes: C-HOOK-3, C-HOOK-4. */
export function bodyOf(format: WebhookFormat, workspace: WorkspaceId, told: Told): string {
  if (format === 'slack') return JSON.stringify({ text: escaped(`*${told.type}* ${told.summary}`) });
  const { id, type, occurred_at, summary, data } = told;
  return JSON.stringify({ id, type, workspace_id: workspace, occurred_at, summary, data });
}

/** The three characters that Slack's markup gives a meaning: a name of the data must not become a link or a mention. */
const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
