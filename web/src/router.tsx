import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router';
import { StartPage } from './find/start-page.tsx';
import { parseQuery, type Search, writeQuery } from './search-parameters.ts';
import { settings } from './settings.ts';
import { NoPage } from './shell/no-page.tsx';
import { Shell } from './shell/shell.tsx';

const root = createRootRoute({ component: Shell, notFoundComponent: NoPage });

const page = <Path extends string>(path: Path, component: ReturnType<typeof lazyRouteComponent>) =>
  createRoute({ getParentRoute: () => root, path, component, validateSearch: (search): Search => search as Search });

const start = createRoute({ getParentRoute: () => root, path: '/', component: StartPage });

const routeTree = root.addChildren([
  start,
  page(
    '/sign-in',
    lazyRouteComponent(() => import('./sign-in/sign-in-page.tsx'), 'SignInPage'),
  ),
  page(
    '/signed-in',
    lazyRouteComponent(() => import('./sign-in/sign-in-page.tsx'), 'SignedInPage'),
  ),
  page(
    '/authorize',
    lazyRouteComponent(() => import('./sign-in/authorize-page.tsx'), 'AuthorizePage'),
  ),
  page(
    '/lineage',
    lazyRouteComponent(() => import('./lineage/lineage-page.tsx'), 'LineagePage'),
  ),
  page(
    '/changes',
    lazyRouteComponent(() => import('./changes/changes-page.tsx'), 'ChangesPage'),
  ),
  page(
    '/providers',
    lazyRouteComponent(() => import('./run/providers-page.tsx'), 'ProvidersPage'),
  ),
  page(
    '/deliveries',
    lazyRouteComponent(() => import('./run/deliveries-page.tsx'), 'DeliveriesPage'),
  ),
  page(
    '/deliveries/$deliveryId',
    lazyRouteComponent(() => import('./run/delivery-page.tsx'), 'DeliveryPage'),
  ),
  page(
    '/gaps',
    lazyRouteComponent(() => import('./run/gaps-page.tsx'), 'GapsPage'),
  ),
  page(
    '/policy',
    lazyRouteComponent(() => import('./run/policy-page.tsx'), 'PolicyPage'),
  ),
  page(
    '/tokens',
    lazyRouteComponent(() => import('./run/tokens-page.tsx'), 'TokensPage'),
  ),
  page(
    '/collection',
    lazyRouteComponent(() => import('./run/collection-page.tsx'), 'CollectionPage'),
  ),
  page(
    '/access',
    lazyRouteComponent(() => import('./run/access-page.tsx'), 'AccessPage'),
  ),
  page(
    '/checks',
    lazyRouteComponent(() => import('./run/checks-page.tsx'), 'ChecksPage'),
  ),
]);

export const router = createRouter({
  routeTree,
  basepath: settings.base,
  parseSearch: parseQuery,
  stringifySearch: writeQuery,
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
