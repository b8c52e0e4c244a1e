"""Makes the random judgments and run of this folder, and what ir_measures says of them.

    pip install ir_measures pytrec_eval-terrier pyndeval cwl-eval && python make.py

Written with ir_measures 0.4.3, pytrec_eval-terrier 0.5.11, pyndeval 0.0.8 and cwl-eval 1.0.12, and with pyndeval by itself for the values
of alpha and cutoffs that ir_measures does not hand on. Scores are all different, since these tools break ties in different ways.
"""

import random
import sys
from pathlib import Path

import ir_measures
import pyndeval

here = Path(__file__).parent
rng = random.Random(20101)

graded, subtopics, run = [], [], []
for topic in range(1, 15):
    pool = rng.sample(range(1000), 70)
    docs = [f"d{number:03}" for number in pool]
    # Topic 3 has no relevant document, topic 7 few of them.
    share = {3: 0.0, 7: 0.05}.get(topic, 0.45)
    for doc in docs[:50]:
        grade = rng.choice([1, 1, 1, 2, 2, 3]) if rng.random() < share else 0
        graded.append((str(topic), doc, grade))
        several = rng.randint(1, 6)
        for subtopic in rng.sample(range(1, 7), several):
            # Topic 5 has a subtopic without relevant documents.
            relevant = rng.random() < share and not (topic == 5 and subtopic == 2)
            subtopics.append((str(topic), str(subtopic), doc, rng.choice([1, 1, 2]) if relevant else 0))
    subtopics.sort(key=lambda it: (int(it[0]), int(it[1])))
    # Topic 9 has a short ranking, topic 11 none of the relevant documents.
    found = rng.sample(docs, {9: 3}.get(topic, rng.randint(15, 60)))
    if topic == 11:
        found = [doc for doc in docs[50:]]
    scores = sorted((rng.uniform(0.5, 20) for _ in found), reverse=True)
    run += [(str(topic), doc, round(score, 6)) for doc, score in zip(found, scores)]

with open(here / "graded.qrels", "w") as file:
    for topic, doc, grade in graded:
        print(topic, 0, doc, grade, file=file)
with open(here / "subtopics.qrels", "w") as file:
    for topic, subtopic, doc, grade in subtopics:
        print(topic, subtopic, doc, grade, file=file)
with open(here / "random.run", "w") as file:
    for topic, doc, score in run:
        print(topic, "Q0", doc, 0, score, "random", file=file)

ofGrades = """
P(rel=1)@5 P(rel=2)@5 P(rel=2)@20 P(judged_only=True)@10 P(rel=2,judged_only=True)@10
RR RR(rel=2) RR(judged_only=True) RR@3 RR(rel=2)@10
Rprec Rprec(rel=2) Rprec(judged_only=True)
AP AP(rel=2) AP(rel=2)@10 AP(judged_only=True) AP(rel=3,judged_only=True)@20
nDCG nDCG@10 nDCG(judged_only=True)@10 nDCG(gains={0:0,1:1,2:10,3:100})@20 nDCG(gains={1:0,2:5})
R@10 R@1000 R(judged_only=True)@20
Bpref Bpref(rel=2) NumRet NumRet(rel=1) NumRet(rel=2) NumQ NumRel
SetAP SetAP(rel=2) SetAP(judged_only=True)
SetF SetF(beta=0.5) SetF(beta=2.0,rel=2) SetF(judged_only=True)
SetP SetP(rel=2) SetP(relative=True) SetP(relative=True,rel=2) SetP(judged_only=True)
SetR SetR(rel=2)
Success@1 Success(rel=2)@5 Success(judged_only=True)@1
infAP infAP(rel=2)
Judged@5 Judged@20 Judged
RBP(rel=1) RBP(rel=2,p=0.5) RBP(rel=1,p=0.95)
BPM(max_rel=3)@10 BPM(T=2.5,max_rel=3)@20 BPM(T=0.5,min_rel=1,max_rel=3)@10
SDCG(max_rel=3)@10 SDCG(min_rel=1,max_rel=2)@50
INST(max_rel=3) INST(T=3.0,max_rel=3) INST(T=0.5,min_rel=1,max_rel=2)
INSQ(max_rel=3) INSQ(T=2.5,max_rel=3)
NERR8(max_rel=3)@10 NERR9(max_rel=3)@20 NERR10(max_rel=3) NERR10(p=0.6,max_rel=3) NERR11(max_rel=3) NERR11(T=2.0,max_rel=3)
Compat Compat(p=0.8) Compat(p=0.98) Compat(normalize=False)
Accuracy Accuracy@10 Accuracy(rel=2)
""".split()

out = open(here / "expected.tsv", "w")


def write(file, topic, measure, value):
    print(file, topic, measure, repr(float(value)), sep="\t", file=out)


parsed = {name: ir_measures.parse_measure(name) for name in ofGrades}
qrels = [ir_measures.Qrel(topic, doc, grade) for topic, doc, grade in graded]
retrieved = [ir_measures.ScoredDoc(*it) for it in run]
for name, measure in parsed.items():
    for it in sorted(ir_measures.iter_calc([measure], qrels, retrieved), key=lambda it: int(it.query_id)):
        write("graded", it.query_id, name, it.value)
    write("graded", "all", name, ir_measures.calc_aggregate([measure], qrels, retrieved)[measure])

# ndeval's names, alpha, beta, and the least relevant grade; alpha is that of ERR-IA too, where ir_measures has 0.5.
cutoffs = [2, 5, 10, 20]
for alpha, beta, level in [(0.5, 0.5, 1), (0.5, 0.5, 2), (0.3, 0.8, 1), (0.9, 0.2, 1)]:
    given = ",".join(
        [f"alpha={alpha}"] * (alpha != 0.5) + [f"beta={beta}"] * (beta != 0.5) + [f"rel={level}"] * (level != 1)
    )
    ofAlpha = given.replace(f",beta={beta}", "").replace(f"beta={beta}", "")

    def named(name, given):
        return f"{name}({given})" if given else name

    names = {"NRBP": named("NRBP", given), "nNRBP": named("nNRBP", given)}
    for k in cutoffs:
        for theirs, ours in [("alpha-DCG", "alpha_DCG"), ("alpha-nDCG", "alpha_nDCG")]:
            names[f"{theirs}@{k}"] = f"{named(ours, ofAlpha)}@{k}"
        if alpha == 0.5:
            for theirs, ours in [("ERR-IA", "ERR_IA"), ("nERR-IA", "nERR_IA"), ("P-IA", "P_IA"), ("strec", "StRecall")]:
                names[f"{theirs}@{k}"] = f"{named(ours, given)}@{k}"
    if alpha == 0.5:
        names["MAP-IA"] = named("AP_IA", given)
    evaluator = pyndeval.RelevanceEvaluator(subtopics, list(names), relevance_level=level, alpha=alpha, beta=beta)
    found = evaluator.evaluate(run)
    for theirs, ours in names.items():
        for topic, values in found.items():
            # Where no subtopic has a relevant document, ndeval divides 0 by 0 for nNRBP.
            value = values[theirs]
            write("subtopics", topic, ours, 0.0 if value != value else value)
print(sys.version, ir_measures.__version__)
