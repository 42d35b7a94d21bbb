"""Drives the record processing of the reference implementation (aiperf 0.13.0), in its own interpreter and by its own classes.

records.py FOLDER ANSWERS COUNT

COUNT streamed answers, taken in turn from those whose reads stand in the file ANSWERS, go through its reader of event streams,
its parser of answers (with the `builtin` tokenizer), its metrics of a record, its accumulator and its writer of
profile_export.jsonl; then come its summary, CSV and JSON. All in one process: nothing is sent between services. Prints the
CPU seconds of that, the making of requests left out, as JSON.
"""

import asyncio
import itertools
import json
import sys
import time
from pathlib import Path
from types import SimpleNamespace

from aiperf.cli_commands.profile import app
from aiperf.cli_runner import _make_benchmark_run
from aiperf.common.accumulator_protocols import ExportContext
from aiperf.common.enums import CreditPhase
from aiperf.common.models import ProfileResults, RequestRecord
from aiperf.common.models.record_models import RecordContext
from aiperf.common.models.trace_models import AioHttpTraceData
from aiperf.config.flags.resolver import resolve_config
from aiperf.config.loader import build_benchmark_plan
from aiperf.exporters.exporter_config import ExporterConfig
from aiperf.exporters.metrics_csv_exporter import MetricsCsvExporter
from aiperf.exporters.metrics_json_exporter import MetricsJsonExporter
from aiperf.metrics.accumulator import MetricsAccumulator
from aiperf.post_processors.metric_record_processor import MetricRecordProcessor
from aiperf.post_processors.record_export_jsonl_writer import RecordExportJSONLWriter
from aiperf.records.inference_result_parser import InferenceResultParser
from aiperf.records.record_processor_service import RecordProcessor
from aiperf.transports.sse_utils import AsyncSSEStreamReader

# As many as lie ready while their processing is counted.
BATCH = 64


def make_run(folder):
    flags = ["--model", "m", "--url", "http://127.0.0.1:1", "--endpoint-type", "chat", "--streaming", "--tokenizer", "builtin",
             "--concurrency", "64", "--request-count", "1000", "--isl", "100", "--artifact-dir", str(folder), "--ui-type", "none"]
    _, bound, _ = app.parse_args(flags)
    plan = build_benchmark_plan(resolve_config(bound.arguments["cli_config"], None))
    return _make_benchmark_run(plan.configs[0])


async def reads(pieces):
    for piece in pieces:
        yield piece


def gaps():
    """0.5 to 1.5 ms from read to read, as measure/recorder.mjs has them."""
    seed = 1
    while True:
        seed = (seed * 48_271) % 2_147_483_647
        yield 500_000 + seed % 1_000_000


def request(i, start_ns, wall_ns, pieces, at, body):
    """What a worker hands on of a request, but for its answer."""
    trace = AioHttpTraceData(
        request_send_start_perf_ns=start_ns + 1000, request_send_end_perf_ns=start_ns + 20_000, request_chunks_count=1, request_bytes_total=len(body),
        response_receive_start_perf_ns=at[0], response_receive_end_perf_ns=at[-1], response_chunks_count=len(at), response_bytes_total=sum(map(len, pieces)),
        response_status_code=200, connection_reused_perf_ns=start_ns + 1500,
    )
    context = RecordContext(
        credit_num=i, credit_phase=CreditPhase.PROFILING, phase_index=0, profiling_index=0, phase_name="profiling", phase_kind="profiling",
        conversation_id=f"session_{i % 100:06d}", turn_index=0, x_request_id=f"{i:032x}", x_correlation_id=f"{i:032x}", credit_issued_ns=wall_ns, payload_bytes=body,
    )
    record = RequestRecord(
        request_info=context, model_name="m", timestamp_ns=wall_ns, start_perf_ns=start_ns, recv_start_perf_ns=at[0], end_perf_ns=at[-1], status=200, trace_data=trace,
    )
    return record


async def main(folder, answers, count):
    run = make_run(folder)
    parser = InferenceResultParser(run=run)
    await parser.configure()
    processor = MetricRecordProcessor(run=run)
    accumulator = MetricsAccumulator(run=run)
    writer = RecordExportJSONLWriter(service_id="records_manager", run=run)
    await writer.initialize()
    await writer.start()
    service = SimpleNamespace(service_id="record_processor")
    gap = gaps()
    prompt = " ".join(["token"] * 100)
    body = json.dumps({"model": "m", "messages": [{"role": "user", "content": prompt}], "stream": True}).encode()
    first_ns, wall_ns = time.perf_counter_ns(), time.time_ns()

    async def process(record, pieces, at):
        record.responses = await AsyncSSEStreamReader(reads(pieces)).read_complete_stream()
        # Its reader stamps with the clock; the last two events come in one read.
        for message, ns in zip(record.responses, [*at, at[-1]]):
            message.perf_ns = ns
        parsed = await parser.parse_request_record(record)
        metadata = RecordProcessor._create_metric_record_metadata(service, record, "worker_0", at[-1])
        data = await processor.process_record(parsed, metadata)
        await accumulator.process_record(data)
        await writer.process_record(data)

    def make(i):
        start = i * 70_000
        pieces = answers[i % len(answers)]
        at = list(itertools.accumulate((next(gap) for _ in pieces), initial=first_ns + start))[1:]
        return request(i, first_ns + start, wall_ns + start, pieces, at, body), pieces, at

    cpu, end_ns = 0.0, wall_ns
    for begin in range(0, count, BATCH):
        made = [make(i) for i in range(begin, min(count, begin + BATCH))]
        end_ns = max(end_ns, *(wall_ns + at[-1] - first_ns for _, _, at in made))
        before = time.process_time()
        for one in made:
            await process(*one)
        # As between messages: what it has to write is written.
        await asyncio.gather(*writer._flush_tasks)
        cpu += time.process_time() - before

    before = time.process_time()
    await writer.finalize()
    summary = await accumulator.export_results(ExportContext(start_ns=wall_ns, end_ns=end_ns, phase=CreditPhase.PROFILING))
    records = list(summary.results.values())
    results = ProfileResults(records=records, completed=len(records), start_ns=wall_ns, end_ns=end_ns, successful_request_count=count)
    config = ExporterConfig(results=results, cfg=run.cfg, telemetry_results=None, run=run)
    (folder / "profile_export_aiperf.json").write_text(MetricsJsonExporter(exporter_config=config)._generate_content())
    (folder / "profile_export_aiperf.csv").write_text(MetricsCsvExporter(exporter_config=config)._generate_content())
    cpu += time.process_time() - before
    if summary.results["total_osl"].avg != sum(len(answers[i % len(answers)]) - 1 for i in range(count)):
        raise SystemExit("the reference counted other tokens than were sent")
    print(json.dumps({"cpuSeconds": cpu}))


asyncio.run(main(Path(sys.argv[1]), [[read.encode() for read in reads] for reads in json.loads(Path(sys.argv[2]).read_text())], int(sys.argv[3])))
