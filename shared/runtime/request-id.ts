import { limits } from '../contract/limits.ts';

const wellFormed = new RegExp(`^[A-Za-z0-9._-]{1,${limits.requestId.maxLength}}$`);

/** The sender's own request id where it is well-formed, else that of the gateway: C-ERROR-4. */
export const requestIdOf = (sent: string | undefined, gatewayId: string): string =>
  sent !== undefined && wellFormed.test(sent) ? sent : gatewayId;

/** The ids of a request as a log line has them: the gateway's, by which its own log knows it, where it is another one. */
export const requestIds = (requestId: string, { gatewayId }: { readonly gatewayId: string }) => ({
  request_id: requestId,
  ...(gatewayId !== requestId && { gateway_request_id: gatewayId }),
});
