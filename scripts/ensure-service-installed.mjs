// Installs what is missing for running the service; modules that import this can use it afterwards.
import { ensureServiceInstalled } from './install.mjs';

ensureServiceInstalled();
