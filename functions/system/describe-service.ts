import { collectionOpenApi, serviceOpenApi } from '../../shared/contract/api/openapi.ts';
import { routes } from '../../shared/contract/api/routes.ts';
import { once } from '../../shared/domain/once.ts';
import { documentationPage } from './documentation-page.ts';

export type ServiceDescription = ReturnType<typeof made>;

/** Both API descriptions and their page, made when they are first asked for: health needs none of them. */
export const describeService = once(made);

function made() {
  const [collection, service] = [collectionOpenApi(routes), serviceOpenApi(routes)];
  return { collection, service, page: documentationPage([service, collection]) };
}
