// Installs what is missing for running the service; whoever imports this has it from then on.
import { ensureServiceInstalled } from './install.mjs';

ensureServiceInstalled();
