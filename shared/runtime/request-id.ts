import { limits } from '../contract/limits.ts';

const wellFormed = new RegExp(`^[A-Za-z0-9._-]{1,${limits.requestId.maxLength}}$`);

/** The sender's own request id where it is well-formed, else a new one: C-ERROR-4. */
export const requestIdOf = (sent: string | undefined, newId: () => string): string =>
  sent !== undefined && wellFormed.test(sent) ? sent : newId();
