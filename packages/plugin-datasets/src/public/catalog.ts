/** How the rows of a public set become requests. */
export type Mapping =
  | { kind: 'prompt'; prompt: string; image?: string }
  | { kind: 'template'; columns: string[]; template(values: Record<string, string>): string }
  | { kind: 'first-message'; conversation: string; content: string; image?: string }
  | { kind: 'turns'; prompts: string }
  | { kind: 'question'; question: string; choices: string; video: string }
  | { kind: 'audio'; audio: string }

export interface PublicSet {
  /** Repository on the hub. */
  repository: string
  subset?: string
  split: string
  /** Large: only as many rows are read as entries are asked for. */
  streaming?: true
  mapping: Mapping
}

const prompt = (repository: string, column: string, split: string, more: Partial<PublicSet> = {}): PublicSet => ({ repository, split, mapping: { kind: 'prompt', prompt: column }, ...more })
const speech = (repository: string, subset: string): PublicSet => ({ repository, subset, split: 'test', streaming: true, mapping: { kind: 'audio', audio: 'audio' } })
const edit = (repository: string): PublicSet => ({
  repository,
  split: 'train',
  mapping: {
    kind: 'template',
    columns: ['code', 'change_request'],
    template: ({ code, change_request: request }) => `Apply a change to a program and answer with the whole changed program.\n\nThe change:\n${request}\n\nThe program:\n\`\`\`\n${code}\n\`\`\`\n`,
  },
})

/** Sets of the Hugging Face hub by the name of `--public-dataset`. */
export const CATALOG: Readonly<Record<string, PublicSet>> = {
  aimo: prompt('AI-MO/NuminaMath-TIR', 'problem', 'train'),
  aimo_aime: prompt('AI-MO/aimo-validation-aime', 'problem', 'train'),
  aimo_numina_cot: prompt('AI-MO/NuminaMath-CoT', 'problem', 'train'),
  aimo_numina_1_5: prompt('AI-MO/NuminaMath-1.5', 'problem', 'train'),
  mmstar: { repository: 'Lin-Chen/MMStar', split: 'val', mapping: { kind: 'prompt', prompt: 'question', image: 'image' } },
  mmvu: { repository: 'yale-nlp/MMVU', split: 'validation', mapping: { kind: 'question', question: 'question', choices: 'choices', video: 'video' } },
  vision_arena: { repository: 'lmarena-ai/VisionArena-Chat', split: 'train', streaming: true, mapping: { kind: 'first-message', conversation: 'conversation', content: 'content', image: 'images' } },
  llava_onevision: { repository: 'lmms-lab/LLaVA-OneVision-Data', subset: 'sharegpt4o', split: 'train', streaming: true, mapping: { kind: 'first-message', conversation: 'conversations', content: 'value', image: 'image' } },
  spec_al_gsm8k: prompt('openai/gsm8k', 'question', 'test', { subset: 'main' }),
  spec_al_math500: prompt('HuggingFaceH4/MATH-500', 'problem', 'test'),
  spec_al_humaneval: prompt('openai/openai_humaneval', 'prompt', 'test'),
  spec_al_mbpp: prompt('google-research-datasets/mbpp', 'text', 'test', { subset: 'full' }),
  spec_al_mtbench: { repository: 'HuggingFaceH4/mt_bench_prompts', split: 'train', mapping: { kind: 'turns', prompts: 'prompt' } },
  instruct_coder: prompt('likaixin/InstructCoder', 'instruction', 'train'),
  blazedit_5k: edit('vdaita/edit_5k_char'),
  blazedit_10k: edit('vdaita/edit_10k_char'),
  librispeech: speech('openslr/librispeech_asr', 'clean'),
  voxpopuli: speech('facebook/voxpopuli', 'en'),
  gigaspeech: speech('speechcolab/gigaspeech', 'xs'),
  ami: speech('edinburghcstr/ami', 'ihm'),
  spgispeech: speech('kensho/spgispeech', 'test'),
}
