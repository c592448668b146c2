import { codehostAppRoutes } from '../../shared/contract/codehost-apps.ts';
import { codehostCheckRoutes } from '../../shared/contract/codehost-checks.ts';
import { codehostInstallationRoutes } from '../../shared/contract/codehost-installations.ts';
import { codehostPorts } from '../../shared/runtime/composition/codehost.ts';
import { httpFunction } from '../../shared/runtime/http.ts';
import { appImplementations } from './apps.ts';
import { checkImplementations } from './checks.ts';
import { installationImplementations } from './installations.ts';

const ports = codehostPorts();

export const handler = httpFunction(
  { ...codehostAppRoutes, ...codehostInstallationRoutes, ...codehostCheckRoutes },
  { ...appImplementations(ports), ...installationImplementations(ports), ...checkImplementations(ports) },
);
