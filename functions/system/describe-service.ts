import { collectionOpenApi, serviceOpenApi } from '../../shared/contract/api/openapi.ts';
import { routes } from '../../shared/contract/api/routes.ts';
import { documentationPage } from './documentation-page.ts';

export type ServiceDescription = ReturnType<typeof made>;

let known: ServiceDescription | undefined;

/** Both API descriptions and their page, made when they are first asked for: health needs none of them. */
export function describeService(): ServiceDescription {
  known ??= made();
  return known;
}

function made() {
  const [collection, service] = [collectionOpenApi(routes), serviceOpenApi(routes)];
  return { collection, service, page: documentationPage([service, collection]) };
}
