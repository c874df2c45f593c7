package main

// Help is called by kong: one example for each command, which a test reads back.

func example(lines string) string { return "Example:\n\n    " + lines }

func (runCommand) Help() string {
	return example("rosenblatt run --brokers 127.0.0.1:29092 --input events --create-topics")
}

func (replayCommand) Help() string {
	return example(`rosenblatt replay events.csv --learner "perceptron pa1:C=0.1 arow" --report report.html`)
}

func (trainCommand) Help() string {
	return example("rosenblatt train events.csv --algorithm pla --until validation --out model.json")
}

func (produceCommand) Help() string {
	return example("rosenblatt produce events.csv --brokers 127.0.0.1:29092 --topic events --rate 500 --key country")
}

func (inspectCommand) Help() string { return example("rosenblatt inspect state/events --top 20") }

func (verifyCommand) Help() string {
	return example("rosenblatt verify --brokers 127.0.0.1:29092 --input events")
}

func (checkCommand) Help() string {
	return example("rosenblatt check --brokers kafka.example.org:9093 --tls-ca ca.pem --input events")
}

func (tailCommand) Help() string {
	return example("rosenblatt tail dead-letters --brokers 127.0.0.1:29092 --input events --follow")
}

func (profileCommand) Help() string {
	return example("rosenblatt profile --http 127.0.0.1:8080 --set-reference")
}

func (promoteCommand) Help() string { return example("rosenblatt promote c1 --http 127.0.0.1:8080") }

func (tasksCommand) Help() string {
	return example("rosenblatt tasks --brokers kafka.example.org:9092 --input events")
}

func (versionCommand) Help() string { return example("rosenblatt version") }
