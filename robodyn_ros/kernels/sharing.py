"""Threads that share the rows of a batch, as LLVM text: what runs without the interpreter.

    i64 @serve(ptr process, ptr inputs, ptr strides, ptr outputs, i64 rows, i64 helpers)

computes a whole batch and returns how many rows were refused, or -1 where there was no memory. The
tables are those of :mod:`batch`; `process` is that of :mod:`records`. At most so many `helpers`
take part beside the calling thread:

    void @worker(ptr team)

waits for batches of any kernel and never returns; `team` is one of :mod:`records` too. One caller
at a time has the team, others serve their rows alone. A caller posts one token for each helper,
takes blocks of rows itself, and when there are none left takes back the tokens that no helper has
taken: it waits only for helpers that have begun. Blocks become smaller towards the end, so that all
are done at about the same time, whoever began late or was held up.
"""

from __future__ import annotations

from robodyn_ros.kernels.batch import Workspace
from robodyn_ros.kernels.program import Program
from robodyn_ros.kernels.records import Job, Process, Team
from robodyn_ros.kernels.table import at

LEAST = 12_000
"""Instructions and results in the smallest block: about 2 us."""
PORTIONS = 2
"""A block is what is left, divided by so many for each thread."""
TURNS = 64
"""How often a caller looks whether the last block is done before it sleeps: about 3 us. To sleep
and be woken takes longer than the smallest block."""


def cost(program: Program) -> int:
    """Return what a row costs: instructions and results."""
    return program.instruction_count + sum(program.signature.output_sizes)


def sharing_functions(program: Program, layout: Workspace, pause: str) -> str:
    """Return the text of ``@serve``, ``@worker`` and what they call.

    Args:
        program: As it was traced; its cost sets the smallest block.
        layout: Of one thread's scratch memory.
        pause: The statement that a waiting loop repeats; may be empty.
    """
    width = layout.lanes.width
    turns = -(-LEAST // max(1, cost(program)) // width)
    row = 8 * sum(program.signature.output_sizes)
    return "\n".join(
        [
            "declare ptr @malloc(i64)\ndeclare void @free(ptr)",
            _run(layout.size, width, width * max(1, turns)),
            _memory(),
            _serve(layout.size, row),
            _share(pause),
            _worker(),
        ]
    )


def _run(workspace: int, width: int, least: int) -> str:
    """Serve blocks until none is left, in the memory of the next free seat."""
    return f"""
define internal void @run(ptr %job) noinline {{
entry:
{at("seats", "%job", Job.SEATS)}
  %seat = atomicrmw add ptr %p_seats, i64 1 acq_rel
  %offset = mul i64 %seat, {workspace}
{at("memory", "%job", Job.WORKSPACE, "ptr")}
  %workspace = getelementptr inbounds i8, ptr %memory, i64 %offset
{at("inputs", "%job", Job.INPUTS, "ptr")}
{at("strides", "%job", Job.STRIDES, "ptr")}
{at("outputs", "%job", Job.OUTPUTS, "ptr")}
{at("rows", "%job", Job.ROWS, "i64")}
{at("parts", "%job", Job.PARTS, "i64")}
{at("streaming", "%job", Job.STREAMING, "i64")}
{at("next", "%job", Job.NEXT)}
  %first = load atomic i64, ptr %p_next monotonic, align 8
  br label %choose
choose:
  %begin = phi i64 [%first, %entry], [%seen, %take], [%now, %block]
  %bad = phi i64 [0, %entry], [%bad, %take], [%sum, %block]
  %left = sub i64 %rows, %begin
  %any = icmp sgt i64 %left, 0
  br i1 %any, label %take, label %done
take:
  %part = udiv i64 %left, %parts
  %whole = and i64 %part, {-width}
  %large = icmp ugt i64 %whole, {least}
  %length = select i1 %large, i64 %whole, i64 {least}
  %until = add i64 %begin, %length
  %over = icmp sgt i64 %until, %rows
  %end = select i1 %over, i64 %rows, i64 %until
  %pair = cmpxchg ptr %p_next, i64 %begin, i64 %end acq_rel monotonic
  %seen = extractvalue {{i64, i1}} %pair, 0
  %taken = extractvalue {{i64, i1}} %pair, 1
  br i1 %taken, label %block, label %choose
block:
  %refused = call i64 @batch(ptr %inputs, ptr %strides, ptr %outputs, ptr %workspace, i64 %begin,
    i64 %end, i64 %streaming)
  %sum = add i64 %bad, %refused
  %now = load atomic i64, ptr %p_next monotonic, align 8
  br label %choose
done:
{at("total", "%job", Job.REFUSED)}
  %before = atomicrmw add ptr %p_total, i64 %bad acq_rel
  ret void
}}"""


def _memory() -> str:
    """Return memory that holds its own size first: what an earlier call left, or new."""
    return f"""
define internal ptr @take_memory(ptr %process, i64 %need) noinline {{
entry:
{at("spare", "%process", Process.SPARE)}
  %old = atomicrmw xchg ptr %p_spare, ptr null acq_rel
  %absent = icmp eq ptr %old, null
  br i1 %absent, label %fresh, label %look
look:
  %capacity = load i64, ptr %old, align 8
  %enough = icmp uge i64 %capacity, %need
  br i1 %enough, label %have, label %drop
have:
  ret ptr %old
drop:
  call void @free(ptr %old)
  br label %fresh
fresh:
  %new = call ptr @malloc(i64 %need)
  %failed = icmp eq ptr %new, null
  br i1 %failed, label %end, label %mark
mark:
  store i64 %need, ptr %new, align 8
  br label %end
end:
  ret ptr %new
}}"""


def _serve(workspace: int, row: int) -> str:
    """Find memory, serve the rows alone or shared, and leave the memory to the next call."""
    return f"""
define i64 @serve(ptr %process, ptr %inputs, ptr %strides, ptr %outputs, i64 %rows, i64 %helpers) {{
entry:
  %job = alloca [{Job.SIZE} x i8], align 64
  %threads = add i64 %helpers, 1
  %room = mul i64 %threads, {workspace}
  %need = add i64 %room, 128
  %memory = call ptr @take_memory(ptr %process, i64 %need)
  %poor = icmp eq ptr %memory, null
  br i1 %poor, label %give_up, label %have
give_up:
  ret i64 -1
have:
  %behind = getelementptr inbounds i8, ptr %memory, i64 8
  %bits = ptrtoint ptr %behind to i64
  %negative = sub i64 0, %bits
  %odd = and i64 %negative, 63
  %workspace = getelementptr inbounds i8, ptr %behind, i64 %odd
  %bytes = mul i64 %rows, {row}
{at("streaming", "%process", Process.STREAMING, "i64")}
  %large = icmp uge i64 %bytes, %streaming
  %stream = zext i1 %large to i64
{at("team", "%process", Process.TEAM, "ptr")}
  %lonely = icmp eq ptr %team, null
  %unhelped = icmp slt i64 %helpers, 1
  %never = or i1 %lonely, %unhelped
  br i1 %never, label %alone, label %claim
claim:
{at("owned", "%team", Team.OWNED)}
  %pair = cmpxchg ptr %p_owned, i64 0, i64 1 acq_rel monotonic
  %mine = extractvalue {{i64, i1}} %pair, 1
  br i1 %mine, label %fill, label %alone
fill:
  %parts = mul i64 %threads, {PORTIONS}
{_filled()}
  call void @share(ptr %team, ptr %job, i64 %helpers)
  %shared = load i64, ptr %p_refused, align 8
  br label %end
alone:
  %single = call i64 @batch(ptr %inputs, ptr %strides, ptr %outputs, ptr %workspace, i64 0,
    i64 %rows, i64 %stream)
  br label %end
end:
  %bad = phi i64 [%shared, %fill], [%single, %alone]
{at("left", "%process", Process.SPARE)}
  %other = atomicrmw xchg ptr %p_left, ptr %memory acq_rel
  call void @free(ptr %other)
  ret i64 %bad
}}"""


def _filled() -> str:
    fields = (
        ("run", Job.RUN, "ptr @run"),
        ("inputs", Job.INPUTS, "ptr %inputs"),
        ("strides", Job.STRIDES, "ptr %strides"),
        ("outputs", Job.OUTPUTS, "ptr %outputs"),
        ("workspace", Job.WORKSPACE, "ptr %workspace"),
        ("rows", Job.ROWS, "i64 %rows"),
        ("parts", Job.PARTS, "i64 %parts"),
        ("stream", Job.STREAMING, "i64 %stream"),
        ("next", Job.NEXT, "i64 0"),
        ("seats", Job.SEATS, "i64 0"),
        ("refused", Job.REFUSED, "i64 0"),
    )
    return "\n".join(
        f"{at(name, '%job', offset)}\n  store {value}, ptr %p_{name}, align 8"
        for name, offset, value in fields
    )


def _share(pause: str) -> str:
    """Serve a job with the team, which is the caller's, and give the team back."""
    return f"""
define internal void @share(ptr %team, ptr %job, i64 %helpers) noinline {{
entry:
{at("work", "%team", Team.WORK)}
{at("done", "%team", Team.DONE)}
{at("post", "%team", Team.POST, "ptr")}
{at("wait", "%team", Team.WAIT, "ptr")}
{at("try", "%team", Team.TRY_WAIT, "ptr")}
{at("job", "%team", Team.JOB)}
  store atomic ptr %job, ptr %p_job release, align 8
  br label %call
call:
  %k = phi i64 [0, %entry], [%k1, %call]
  %posted = call i32 %post(ptr %p_work)
  %k1 = add i64 %k, 1
  %calling = icmp slt i64 %k1, %helpers
  br i1 %calling, label %call, label %run
run:
  call void @run(ptr %job)
  br label %revoke
revoke:
  %begun = phi i64 [%helpers, %run], [%fewer, %back]
  %missing = icmp eq i64 %begun, 0
  br i1 %missing, label %end, label %ask
ask:
  %idle = call i32 %try(ptr %p_work)
  %late = icmp eq i32 %idle, 0
  br i1 %late, label %back, label %await
back:
  %fewer = sub i64 %begun, 1
  br label %revoke
await:
  %open = phi i64 [%begun, %ask], [%rest, %finished]
  br label %look
look:
  %turn = phi i64 [0, %await], [%turn1, %again]
  %status = call i32 %try(ptr %p_done)
  %ready = icmp eq i32 %status, 0
  br i1 %ready, label %finished, label %again
again:
  {pause}
  %turn1 = add i64 %turn, 1
  %awake = icmp slt i64 %turn1, {TURNS}
  br i1 %awake, label %look, label %sleep
sleep:
  %woken = call i32 %wait(ptr %p_done)
  %interrupted = icmp ne i32 %woken, 0
  br i1 %interrupted, label %sleep, label %finished
finished:
  %rest = sub i64 %open, 1
  %more = icmp sgt i64 %rest, 0
  br i1 %more, label %await, label %end
end:
{at("owned", "%team", Team.OWNED)}
  store atomic i64 0, ptr %p_owned release, align 8
  ret void
}}"""


def _worker() -> str:
    """Wait for tokens; a signal may interrupt a wait."""
    return f"""
define void @worker(ptr %team) {{
entry:
{at("work", "%team", Team.WORK)}
{at("done", "%team", Team.DONE)}
{at("post", "%team", Team.POST, "ptr")}
{at("wait", "%team", Team.WAIT, "ptr")}
{at("job", "%team", Team.JOB)}
  br label %idle
idle:
  %status = call i32 %wait(ptr %p_work)
  %called = icmp eq i32 %status, 0
  br i1 %called, label %help, label %idle
help:
  %job = load atomic ptr, ptr %p_job acquire, align 8
{at("run", "%job", Job.RUN, "ptr")}
  call void %run(ptr %job)
  %posted = call i32 %post(ptr %p_done)
  br label %idle
}}"""
