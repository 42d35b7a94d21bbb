import { z } from 'zod';
import { scheduleLimits } from './limits.options.js';
const group = 'User-Centric Rate';
export default z.strictObject({
    rate: z
        .number()
        .positive()
        .describe('Requests per second of all users together; a user sends every users/rate seconds')
        .meta({ flag: '--user-centric-rate', group, value: '<requests/s>' }),
    users: z
        .int()
        .min(1)
        .describe('Users at a time; one who has played the conversation is followed by another')
        .meta({ flag: '--num-users', group, comma: 'sweep', value: '<users>' }),
    ...scheduleLimits,
});
