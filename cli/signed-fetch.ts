import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';

type SignedRequest = {
  /** As signatures and addresses name the service. */
  readonly service: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
};

/** Sends a request to a service whose client the project does not install, with the Region and the keys of another client. */
export async function signedFetch(
  { config: { region: regionOf, credentials } }: CloudFormationClient | DynamoDBClient,
  { service, method, path, headers = {}, body }: SignedRequest,
): Promise<Response> {
  const region = await regionOf();
  // A client signs every request for the service of the first one, so a new client signs this request.
  const { config } = new CloudFormationClient({ region, credentials });
  const suffix = region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com';
  const address = new URL(process.env['AWS_ENDPOINT_URL'] ?? `https://${service}.${region}.${suffix}`);
  const scheme = { name: 'sigv4', signingName: service, signingRegion: region, properties: {} } as const;
  const signer = await config.signer?.(scheme);
  const { protocol, hostname, host } = address;
  const request = { method, protocol, hostname, path, query: {}, headers: { ...headers, host }, body };
  const signed = await signer?.sign(request);
  const headersAndBody = { headers: signed?.headers ?? {}, ...(body !== undefined && { body }) };
  return fetch(new URL(path, address), { method, redirect: 'manual', ...headersAndBody });
}
