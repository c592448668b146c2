import { uploadRoutes } from '../../shared/contract/uploads.ts';
import { uploadPorts } from '../../shared/runtime/composition/intake.ts';
import { httpFunction } from '../../shared/runtime/http.ts';
import { uploadImplementations } from './uploads.ts';

export const handler = httpFunction(uploadRoutes, uploadImplementations(uploadPorts()));
