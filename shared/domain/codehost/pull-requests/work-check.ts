import { limits } from '../../../contract/limits.ts';
import type { CheckPullRequest } from '../../../contract/messages.ts';
import { appOf } from '../apps.ts';
import { HostFailure } from '../host-failure.ts';
import { refreshInstallation } from '../keep-installation.ts';
import type { CodehostQueue } from '../ports.ts';
import { type CheckPorts, CommitBusy, checkPullRequest } from './check-pull-request.ts';

export type WorkCheckPorts = CheckPorts & { readonly codehostQueue: CodehostQueue };

/** A queue holds a message back for so long; beyond it the message goes round. */
const maxDelaySeconds = 900;
const busySeconds = 20;

/** Checks a pull request; where the host asks to wait, or cannot be reached, the message goes back for that time. */
export async function workCheck(ports: WorkCheckPorts, message: CheckPullRequest): Promise<void> {
  const now = ports.clock.now();
  const wait = message.not_before === null ? 0 : (Date.parse(message.not_before) - now.getTime()) / 1_000;
  if (wait > 1) return later(ports, message, wait);
  try {
    await checkPullRequest(ports, message);
  } catch (error) {
    if (error instanceof CommitBusy) return again(ports, message, busySeconds);
    if (!(error instanceof HostFailure)) throw error;
    if (isPassing(error)) return again(ports, message, error.retryAfterSeconds ?? 30 * 2 ** message.attempt, error);
    // A permission that was taken, or a suspension, shows at the installation; nothing else can be done about it here.
    await lookAgain(ports, message);
  }
}

const isPassing = ({ reason }: HostFailure): boolean => ['rate_limited', 'unreachable', 'failed'].includes(reason);

async function again(
  ports: WorkCheckPorts,
  message: CheckPullRequest,
  seconds: number,
  error?: HostFailure,
): Promise<void> {
  if (message.attempt >= limits.codehost.attempts) throw error ?? new CommitBusy();
  const not_before = new Date(ports.clock.now().getTime() + seconds * 1_000).toISOString();
  await later(ports, { ...message, attempt: message.attempt + 1, not_before }, seconds);
}

const later = ({ codehostQueue }: WorkCheckPorts, message: CheckPullRequest, seconds: number): Promise<void> =>
  codehostQueue.send(message, { delaySeconds: Math.min(maxDelaySeconds, Math.ceil(seconds)) });

async function lookAgain(
  ports: WorkCheckPorts,
  { workspace_id, config_id, installation_id }: CheckPullRequest,
): Promise<void> {
  const app = await appOf(ports, workspace_id, config_id);
  const found = app && (await ports.registry.installations.find({ workspace_id, config_id, installation_id }));
  if (app && found) await refreshInstallation(ports, app, found, false);
}
