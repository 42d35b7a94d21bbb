import type { AccuracyResult, RunResult } from '@aiperf/core'

/** `accuracy_export.jsonl`: a line for each graded answer. */
export async function* answerLines(run: RunResult, { grader, answers }: AccuracyResult): AsyncGenerator<string> {
  for await (const answer of answers()) {
    const { ordinal, conversation, session, worker, task, passed, unparsed, gold, actual, explanation, text, reasoning, endNs } = answer
    const head = JSON.stringify({ record_type: 'accuracy', session_num: session, conversation_id: run.conversationId({ conversation }), x_request_id: run.requestId({ ordinal }), worker_id: `worker_${worker}`, benchmark_phase: 'profiling' })
    const rest = JSON.stringify({
      task, grader_name: grader, passed, unparsed, confidence: 1, expected: gold, actual, explanation: explanation ?? '',
      model_output: text, model_thinking: reasoning === '' ? null : reasoning,
    })
    // Unix time in ns has more digits than a double: it goes past JSON.stringify.
    yield `${head.slice(0, -1)},"timestamp_ns":${run.unixNs(endNs)},${rest.slice(1)}\n`
  }
}
