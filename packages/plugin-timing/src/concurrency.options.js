import { z } from 'zod';
import { closedLoopLimits } from './limits.options.js';
export default z.strictObject(closedLoopLimits);
