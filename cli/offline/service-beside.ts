// The service beside files: whether there is one, why it does not answer, and what limits the answers of both.
import { ApiFailure, Unreachable } from '../../shared/client/api.ts';
import { type ClaimLimit, limitOf } from '../../shared/contract/claim.ts';
import { CommandError } from '../outcome.ts';
import { type Session, sessionOf } from '../session.ts';
import { NoService } from '../settings/settings.ts';

/** The session of a service, if one is named; null if files are all that there is. */
export function serviceSession({ options, terminal }: Pick<Session, 'options' | 'terminal'>): Session | null {
  try {
    return sessionOf(options, terminal);
  } catch (error) {
    if (error instanceof NoService) return null;
    throw error;
  }
}

/** What a service answers, or the limit that says why it does not. */
export async function askService<T>(ask: () => Promise<T>): Promise<T | ClaimLimit> {
  try {
    return await ask();
  } catch (error) {
    const isOfService = error instanceof Unreachable || error instanceof ApiFailure || error instanceof CommandError;
    if (!isOfService) throw error;
    const hints = error instanceof CommandError ? error.hints : [];
    return notAsked([error.message, ...hints].map((one) => one.replace(/\.?$/, '.')).join(' '));
  }
}

export const notAsked = (detail: string): ClaimLimit => limitOf('service_not_asked', { detail });

/** Each once. */
export function jointLimits(files: readonly ClaimLimit[], service: readonly ClaimLimit[]): ClaimLimit[] {
  const limits = [...files.filter(({ code }) => code !== 'files_only'), ...service];
  return [...new Map(limits.map((one) => [JSON.stringify(one), one])).values()];
}
